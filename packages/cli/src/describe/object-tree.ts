import { rowName } from "./row-name.ts";
import { type ConditionStyle, conditionOf, isAlike, signalsOf } from "./tree-conditions.ts";
import {
  type ConditionFilter,
  type NodeGroup,
  type TreeCondition,
  type TreeNode,
  treeNode,
} from "./tree-node.ts";

const notableSuffix = "+";

/**
 * The filter of a node in a comma-separated list of "all", kinds, and kinds with names, in any case. A
 * plus behind a filter selects the conditions that need attention. The first match counts.
 */
export function showFilter(
  { kind, name }: Pick<TreeNode, "kind" | "name">,
  filters = "",
): ConditionFilter {
  const found = filters.split(",").find((filter) => {
    const [wanted = "", ...rest] = filter.replace(/\+$/, "").toLowerCase().split("/");
    if (filter === "") return false;
    if (wanted === "all" && rest.length === 0) return true;
    const isKind = wanted === kind.toLowerCase();
    return rest.length === 1 ? isKind && rest[0] === name.toLowerCase() : isKind;
  });
  if (found === undefined) return "none";
  return found.endsWith(notableSuffix) ? "notable" : "all";
}

export interface TreeOptions {
  /** The list of `showFilter`. */
  readonly showConditions?: string;
  /** Shows also objects that repeat the condition of their parent. */
  readonly echo: boolean;
  readonly grouping: boolean;
  readonly style: ConditionStyle;
}

interface AddOptions {
  /** Leaves the node out if it is ready or repeats the condition of its parent. */
  readonly noEcho?: boolean;
}

/** A cluster and its objects; siblings with equal conditions become one node when they are added. */
export class ObjectTree {
  readonly root: TreeNode;
  readonly options: TreeOptions;
  readonly #nodes = new Map<string, TreeNode>();
  readonly #children = new Map<string, Set<string>>();
  readonly #parents = new Map<string, string>();

  constructor(root: TreeNode, options: TreeOptions) {
    this.options = options;
    this.root = { ...root, shown: showFilter(root, options.showConditions) };
    this.#nodes.set(root.id, this.root);
  }

  /** Returns whether the node has a line of its own. */
  add(parent: TreeNode, given: TreeNode, { noEcho = false }: AddOptions = {}): boolean {
    const { showConditions, echo, grouping } = this.options;
    const node: TreeNode = {
      ...given,
      shown: showFilter(given, showConditions),
      isGrouping: given.isGrouping && grouping,
    };
    if (noEcho && !echo && this.#isEcho(parent, node)) return false;
    if (this.#nodes.get(parent.id)?.isGrouping && this.#joinSiblings(parent, node)) return false;
    this.#put(parent, node);
    return true;
  }

  childrenOf({ id }: TreeNode): readonly TreeNode[] {
    return this.#unordered(id).toSorted(
      (a, b) => b.order - a.order || compare(rowName(a), rowName(b)),
    );
  }

  parentOf({ id }: TreeNode): TreeNode | undefined {
    return this.#nodes.get(this.#parents.get(id) ?? "");
  }

  #unordered(id: string): readonly TreeNode[] {
    return [...(this.#children.get(id) ?? [])].flatMap((child) => this.#nodes.get(child) ?? []);
  }

  #isEcho(parent: TreeNode, node: TreeNode): boolean {
    const { style } = this.options;
    const ready = conditionOf(node, "Ready", style);
    return ready?.status === "True" || isAlike(ready, conditionOf(parent, "Ready", style));
  }

  #joinSiblings(parent: TreeNode, node: TreeNode): boolean {
    const { style } = this.options;
    const signals = signalsOf(node, style);
    const sibling = this.#unordered(parent.id).find(
      (one) =>
        one.kind === (one.group ? `${node.kind}Group` : node.kind) &&
        signalsOf(one, style).every((signal, index) => isAlike(signal, signals[index])),
    );
    if (!sibling) return false;
    if (sibling.group) {
      this.#nodes.set(sibling.id, joinGroup(sibling, node, style));
    } else {
      this.#remove(parent, sibling);
      this.#put(parent, groupNode(parent, [sibling, node], style));
    }
    return true;
  }

  #put(parent: TreeNode, node: TreeNode): void {
    this.#nodes.set(node.id, node);
    const children = this.#children.get(parent.id) ?? new Set();
    this.#children.set(parent.id, children.add(node.id));
    this.#parents.set(node.id, parent.id);
  }

  #remove(parent: TreeNode, node: TreeNode): void {
    for (const child of this.#unordered(node.id)) this.#remove(node, child);
    this.#nodes.delete(node.id);
    this.#children.get(parent.id)?.delete(node.id);
    this.#parents.delete(node.id);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function groupNode(
  parent: TreeNode,
  [first, second]: readonly [TreeNode, TreeNode],
  style: ConditionStyle,
): TreeNode {
  const { kind, order } = second;
  const name = `${parent.name} ${first.name}`;
  const group = { names: [], available: 0, ready: 0, upToDate: 0, conditions: [] };
  const empty = treeNode({ kind: `${kind}Group`, name, shape: "virtual", order, group });
  return joinGroup(joinGroup(empty, first, style), second, style);
}

function joinGroup(node: TreeNode, member: TreeNode, style: ConditionStyle): TreeNode {
  const { names, available, ready, upToDate, conditions } = node.group as NodeGroup;
  const one = (type: string) => (conditionOf(member, type, style)?.status === "True" ? 1 : 0);
  const group: NodeGroup = {
    names: [...names, member.name].toSorted(),
    available: available + one("Available"),
    ready: ready + one("Ready"),
    upToDate: upToDate + one("UpToDate"),
    conditions: sinceFirst(conditions, member, style),
  };
  return { ...node, group };
}

/** The conditions differ in their times only, of which the earliest counts. */
function sinceFirst(
  known: readonly TreeCondition[],
  member: TreeNode,
  style: ConditionStyle,
): readonly TreeCondition[] {
  return signalsOf(member, style).flatMap((signal) => {
    if (!signal) return [];
    const { lastTransitionTime, ...said } = signal;
    const before = known.find(({ type }) => type === signal.type) ?? signal;
    const since = earlier(before.lastTransitionTime, lastTransitionTime);
    return { ...said, message: "", ...(since !== undefined && { lastTransitionTime: since }) };
  });
}

/** An unknown time counts as the earliest. */
function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return undefined;
  return Date.parse(a) < Date.parse(b) ? a : b;
}
