import type { PodCondition } from "@rookery/api";
import { type Clock, formatTime } from "@rookery/kube";

/** A condition of a pod without its times. */
export interface PodConditionStatement {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * The conditions with one stated, in the order in which Go writes its fields (Go: UpdatePodCondition).
 * Its time moves only when the status changes.
 */
export function withPodCondition(
  conditions: readonly PodCondition[] | undefined,
  { type, status, reason = "", message = "" }: PodConditionStatement,
  now: Clock,
): PodCondition[] {
  const known = conditions ?? [];
  const before = known.find((condition) => condition.type === type);
  const time = before?.status === status ? before.lastTransitionTime : undefined;
  const condition = {
    type,
    status,
    lastProbeTime: null,
    lastTransitionTime: time ?? formatTime(now()),
    ...(reason !== "" && { reason }),
    ...(message !== "" && { message }),
  } as unknown as PodCondition;
  if (before === undefined) return [...known, condition];
  return known.map((other) => (other === before ? condition : other));
}
