import {
  type ConditionStatus,
  type Finding,
  isUnknown,
  type KubeObject,
  type Time,
} from "@rookery/kube";

export interface MirrorOptions {
  /** The type of the condition of the other object. */
  readonly of: string;
  /** The reason where it is true and none is given, as in conditions of the older contract. */
  readonly trueReason: string;
  /** Stands for a condition that the object does not report. */
  readonly fallback: Finding;
}

interface LooseCondition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly lastTransitionTime?: unknown;
}

const statuses: readonly unknown[] = ["True", "False", "Unknown"];

/** A finding that keeps the time of the condition that it mirrors. */
export interface MirroredFinding extends Finding {
  readonly lastTransitionTime?: Time;
}

/** The finding of another object, of either contract, as a finding of this one. */
export function mirrorOf(object: KubeObject, options: MirrorOptions): MirroredFinding {
  const { of, trueReason, fallback } = options;
  const found = conditionsOf(object).find((condition) => condition.type === of);
  if (!found) return fallback;
  const { status, reason, message, lastTransitionTime } = found;
  if (!statuses.includes(status)) {
    const why = `status for the ${of} condition must be one of True, False, Unknown`;
    return isUnknown("InvalidConditionReported", why);
  }
  const time = typeof lastTransitionTime === "string" ? lastTransitionTime : undefined;
  return {
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
