import {
  type Clock,
  type Condition,
  type ConditionStatement,
  type KubeObject,
  setCondition,
} from "@rookery/kube";

interface Conditioned extends Pick<KubeObject, "metadata"> {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Somebody asked that nothing be done. */
export const paused = { type: "Paused", status: "True", reason: "Paused", message: "" } as const;
export const notPaused = {
  type: "Paused",
  status: "False",
  reason: "NotPaused",
  message: "",
} as const;

/** The object with what is stated of it, as of its present generation. */
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
