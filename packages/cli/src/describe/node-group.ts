import { type ConditionStyle, conditionOf, signalsOf } from "./tree-conditions.ts";
import { type NodeGroup, type TreeCondition, type TreeNode, treeNode } from "./tree-node.ts";

/** Two siblings as one node. */
export function groupNode(
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

/** A group with one more. */
export function joinGroup(node: TreeNode, member: TreeNode, style: ConditionStyle): TreeNode {
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

/** They are alike but for when they came to be so: the earliest counts. */
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

/** A time that nobody knows is ahead of all others. */
function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return undefined;
  return Date.parse(a) < Date.parse(b) ? a : b;
}
