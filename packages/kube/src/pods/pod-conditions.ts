import { type Clock, formatTime } from "../time/time.ts";

/** A condition of a pod without its times. */
export interface PodConditionStatement {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface TimedCondition {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
}

/**
 * The conditions with one stated, in the order in which Go writes its fields (Go: UpdatePodCondition).
 * Its time moves only when the status changes.
 */
export function withPodCondition<T extends TimedCondition>(
  conditions: readonly T[] | undefined,
  { type, status, reason = "", message = "" }: PodConditionStatement,
  now: Clock,
): T[] {
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
  } as unknown as T;
  if (before === undefined) return [...known, condition];
  return known.map((other) => (other === before ? condition : other));
}
