import { type Clock, formatTime } from "../time/time.ts";

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
 * The conditions with one changed or added, with Go's field order (UpdatePodCondition). The time
 * changes only with the status.
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
