import { groupNode, joinGroup } from "./node-group.ts";
import { rowName } from "./row-name.ts";
import { showFilter } from "./show-filter.ts";
import { type ConditionStyle, conditionOf, isAlike, signalsOf } from "./tree-conditions.ts";
import type { TreeNode } from "./tree-node.ts";

export interface TreeOptions {
  /** Kinds, or kinds with names, whose conditions are shown; see `showFilter`. */
  readonly showConditions?: string;
  /** Shows also what only repeats what its parent says. */
  readonly echo: boolean;
  readonly grouping: boolean;
  readonly style: ConditionStyle;
}

interface AddOptions {
  /** It is left out where it is fine, or only repeats what its parent says. */
  readonly noEcho?: boolean;
}

/** A cluster and what belongs to it; siblings that are alike become one line while they are added. */
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

  /** Whether the node has a line of its own now. */
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

  /** In the order in which they are printed. */
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
