import { type Clock, formatTime, type Time } from "../time/time.ts";
import type { KubeObject } from "./object.ts";

export type ConditionStatus = "True" | "False" | "Unknown";

export interface Condition {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: Time;
  readonly reason: string;
  readonly message: string;
}

/** A condition as a controller states it; the clock sets a missing time. */
export type ConditionStatement = Omit<Condition, "lastTransitionTime"> &
  Partial<Pick<Condition, "lastTransitionTime">>;

type Conditions = readonly Condition[];

export function getCondition(
  conditions: Conditions | undefined,
  type: string,
): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function hasConditionStatus(
  conditions: Conditions | undefined,
  type: string,
  status: ConditionStatus,
): boolean {
  return getCondition(conditions, type)?.status === status;
}

/**
 * The conditions with one changed in its place, or added at the end. `lastTransitionTime` changes
 * only with the status, to the stated time or else to the clock's. Returns the same list where
 * nothing changes.
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

/** An observedGeneration of 0 equals none: Kubernetes does not write zeros. */
function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    (a.observedGeneration ?? 0) === (b.observedGeneration ?? 0)
  );
}

/** The conditions without a type; the same list where it has none. */
export function removeCondition(conditions: Conditions | undefined, type: string): Conditions {
  if (conditions === undefined) return [];
  const rest = conditions.filter((condition) => condition.type !== type);
  return rest.length === conditions.length ? conditions : rest;
}

/** The result of a reconcile for one condition: the condition without its type. */
export interface Finding<Reason extends string = string> {
  readonly status: ConditionStatus;
  readonly reason: Reason;
  readonly message: string;
}

export function isTrue<Reason extends string>(reason: Reason, message = ""): Finding<Reason> {
  return { status: "True", reason, message };
}

export function isFalse<Reason extends string>(reason: Reason, message: string): Finding<Reason> {
  return { status: "False", reason, message };
}

export function isUnknown<Reason extends string>(reason: Reason, message: string): Finding<Reason> {
  return { status: "Unknown", reason, message };
}

/** Findings by condition type; a condition without a finding stays as it is. */
export type Findings<Type extends string = string, Reason extends string = string> = Readonly<
  Partial<Record<Type, Finding<Reason> | undefined>>
>;

/** Adds the condition types to findings. */
export function statementsOf(findings: Findings): ConditionStatement[] {
  return Object.entries(findings).flatMap(([type, finding]) =>
    finding ? [{ type, ...finding }] : [],
  );
}

export interface Conditioned extends Pick<KubeObject, "metadata"> {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The object with conditions of its current generation. */
export function withConditions<T extends Conditioned>(
  object: T,
  statements: readonly ConditionStatement[],
  clock: Clock,
): T {
  const { generation: observedGeneration = 0 } = object.metadata;
  const conditions = statements.reduce(
    (known, statement) => setCondition(known, { ...statement, observedGeneration }, clock),
    object.status?.conditions ?? [],
  );
  return { ...object, status: { ...object.status, conditions } };
}
