import { type Clock, formatTime, type Time } from "../time/time.ts";

export type ConditionStatus = "True" | "False" | "Unknown";

/** A metav1.Condition. */
export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: Time;
  readonly reason: string;
  readonly message: string;
}

/** A condition as a controller states it: the time may be left to the clock. */
export type ConditionStatement = Omit<Condition, "lastTransitionTime"> &
  Partial<Pick<Condition, "lastTransitionTime">>;

type Conditions = readonly Condition[];

/** The condition of a type, if there is one. */
export function getCondition(
  conditions: Conditions | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition of a type is there and has that status. */
export function hasConditionStatus(
  conditions: Conditions | undefined,
  type: string,
  status: ConditionStatus,
): boolean {
  return getCondition(conditions, type)?.status === status;
}

/**
 * The conditions with one stated: changed in its place, or added at the end. `lastTransitionTime`
 * moves only when the status changes, to the stated time or else to the clock's. Where nothing
 * changes the result is the very list that came in.
 */
export function setCondition(
  conditions: Conditions | undefined,
  statement: ConditionStatement,
  clock: Clock,
): Conditions {
  const existing = getCondition(conditions, statement.type);
  if (existing === undefined) return [...(conditions ?? []), stated(statement, clock)];
  const condition =
    existing.status === statement.status
      ? { ...statement, lastTransitionTime: existing.lastTransitionTime }
      : stated(statement, clock);
  if (conditions === undefined || isSame(existing, condition)) return conditions ?? [];
  return conditions.map((other) => (other === existing ? condition : other));
}

function stated(statement: ConditionStatement, clock: Clock): Condition {
  return { ...statement, lastTransitionTime: statement.lastTransitionTime ?? formatTime(clock()) };
}

/** An observedGeneration of 0 is the same as none: Kubernetes does not write zeros. */
function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    (a.observedGeneration ?? 0) === (b.observedGeneration ?? 0)
  );
}

/** The conditions without those of a type; the very list that came in where there was none. */
export function removeCondition(conditions: Conditions | undefined, type: string): Conditions {
  if (conditions === undefined) return [];
  const rest = conditions.filter((condition) => condition.type !== type);
  return rest.length === conditions.length ? conditions : rest;
}
