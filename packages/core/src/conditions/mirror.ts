import type { ConditionStatement, ConditionStatus, KubeObject } from "@rookery/kube";

export interface MirrorOptions {
  /** The type of the condition that is looked at. */
  readonly of: string;
  /** The type of the condition that is made. */
  readonly type: string;
  /** The reason where it is true and none is given, as in conditions of the older contract. */
  readonly trueReason: string;
  /** What is stated where the object does not report the condition. */
  readonly fallback: Omit<ConditionStatement, "type">;
}

interface LooseCondition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly lastTransitionTime?: unknown;
}

const statuses: readonly unknown[] = ["True", "False", "Unknown"];

/** The condition of another object, of either contract, told of this one. */
export function mirrorOf(object: KubeObject, options: MirrorOptions): ConditionStatement {
  const { of, type, trueReason, fallback } = options;
  const found = conditionsOf(object).find((condition) => condition.type === of);
  if (!found) return { type, ...fallback };
  const { status, reason, message, lastTransitionTime } = found;
  if (!statuses.includes(status)) {
    const words = `status for the ${of} condition must be one of True, False, Unknown`;
    return { type, status: "Unknown", reason: "InvalidConditionReported", message: words };
  }
  const time = typeof lastTransitionTime === "string" ? lastTransitionTime : undefined;
  return {
    type,
    status: status as ConditionStatus,
    reason: textOf(reason) || (status === "True" ? trueReason : "NoReasonReported"),
    message: textOf(message),
    ...(time && { lastTransitionTime: time }),
  };
}

/** Whether an object reports a condition of a type at all. */
export function reportsCondition(object: KubeObject, type: string): boolean {
  return conditionsOf(object).some((condition) => condition.type === type);
}

function conditionsOf({ status }: KubeObject): readonly LooseCondition[] {
  const conditions = (status as { readonly conditions?: unknown } | undefined)?.conditions;
  return Array.isArray(conditions) ? conditions : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
