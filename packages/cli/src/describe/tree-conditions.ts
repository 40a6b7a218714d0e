import type { TreeCondition, TreeNode, TreeObject } from "./tree-node.ts";

/** The contract of the conditions in a tree. */
export type ConditionStyle = "v1beta1" | "v1beta2";

const statuses = ["True", "False", "Unknown"];

export function conditionsOf(node: TreeNode, style: ConditionStyle): readonly TreeCondition[] {
  if (node.group) return node.group.conditions;
  if (!node.object) return [];
  const found = style === "v1beta1" ? olderOf(node, node.object) : newerOf(node, node.object);
  return readConditions(found, style);
}

export function conditionOf(
  node: TreeNode,
  type: string,
  style: ConditionStyle,
): TreeCondition | undefined {
  return conditionsOf(node, style).find((condition) => condition.type === type);
}

/** The conditions that siblings of one group have in common. */
export function signalsOf(
  node: TreeNode,
  style: ConditionStyle,
): readonly (TreeCondition | undefined)[] {
  const ready = conditionOf(node, "Ready", style);
  if (style === "v1beta1") return [ready];
  // Only core kinds are known to have this condition.
  const upToDate =
    node.shape === "core" || node.group ? conditionOf(node, "UpToDate", style) : undefined;
  return [conditionOf(node, "Available", style), ready, upToDate];
}

export function isAlike(a: TreeCondition | undefined, b: TreeCondition | undefined): boolean {
  return a?.status === b?.status && a?.reason === b?.reason && a?.severity === b?.severity;
}

function newerOf({ shape }: TreeNode, { status }: TreeObject): unknown {
  const nested = Object(status?.v1beta2).conditions;
  return shape !== "core" && Array.isArray(nested) ? nested : status?.conditions;
}

function olderOf({ shape }: TreeNode, { status }: TreeObject): unknown {
  const { conditions } = Object(Object(status?.deprecated).v1beta1);
  return shape === "core" || Array.isArray(conditions) ? conditions : status?.conditions;
}

/** Empty if the conditions of a provider are invalid. */
function readConditions(found: unknown, style: ConditionStyle): readonly TreeCondition[] {
  if (!Array.isArray(found)) return [];
  const conditions = found.filter((one) => typeof one === "object" && one !== null);
  if (style === "v1beta2" && !conditions.every(isSound)) return [];
  return conditions.map(({ reason, message = "", ...rest }) => ({
    ...rest,
    reason: reason || (style === "v1beta2" ? "NoReasonReported" : ""),
    message,
  }));
}

function isSound({
  type,
  status,
}: {
  readonly type?: unknown;
  readonly status?: unknown;
}): boolean {
  return Boolean(type) && statuses.includes(String(status));
}
