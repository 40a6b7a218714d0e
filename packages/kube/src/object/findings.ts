import type { Clock } from "../time/time.ts";
import {
  type Condition,
  type ConditionStatement,
  type ConditionStatus,
  setCondition,
} from "./conditions.ts";
import type { KubeObject } from "./object.ts";

/** What a reconcile found out about one aspect of an object: a condition without its type. */
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

/** Findings by the type of their condition; a type without a finding is left as it is. */
export type Findings<Type extends string = string, Reason extends string = string> = Readonly<
  Partial<Record<Type, Finding<Reason> | undefined>>
>;

/** Joins findings with the types of their conditions, in the order of the record. */
export function statementsOf(findings: Findings): ConditionStatement[] {
  return Object.entries(findings).flatMap(([type, finding]) =>
    finding ? [{ type, ...finding }] : [],
  );
}

/** An object whose status has conditions. */
export interface Conditioned extends Pick<KubeObject, "metadata"> {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The object with conditions that hold for its present generation. */
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
