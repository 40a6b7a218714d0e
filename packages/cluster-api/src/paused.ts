import {
  type Clock,
  type Conditioned,
  type ConditionStatement,
  type Finding,
  type Findings,
  type KubeObject,
  statementsOf,
  withConditions,
} from "@rookery/kube";
import { deleteForMoveAnnotation, pausedAnnotation } from "./names.ts";

/** The condition of an object for which nothing is done. */
const paused = { type: "Paused", status: "True", reason: "Paused", message: "" } as const;
export const notPaused = {
  type: "Paused",
  status: "False",
  reason: "NotPaused",
  message: "",
} as const;

/** A Cluster, as far as it can be paused. */
interface Pausable {
  readonly spec?: { readonly paused?: boolean };
}

/**
 * Whether the Cluster or the object itself is paused. An object that was moved to another management cluster
 * counts as paused: see `deleteForMoveAnnotation`.
 */
export function isPaused(
  owner: Pausable | undefined,
  { metadata: { annotations = {} } }: Pick<KubeObject, "metadata">,
): boolean {
  const isMarked = pausedAnnotation in annotations || deleteForMoveAnnotation in annotations;
  return owner?.spec?.paused === true || isMarked;
}

/** The object with the condition Paused, where it is paused; else undefined. */
export function whenPaused<T extends Conditioned>(
  object: T,
  owner: Pausable | undefined,
  clock: Clock,
): T | undefined {
  return isPaused(owner, object) ? withConditions(object, [paused], clock) : undefined;
}

/** The object with findings, not paused, and `status.ready` by its finding Ready. */
export function withReadiness<T extends Conditioned>(
  object: T,
  findings: Findings & { readonly Ready: Finding },
  clock: Clock,
): T {
  const changed = withConditions(object, [...statementsOf(findings), notPaused], clock);
  const ready = findings.Ready.status === "True";
  return { ...changed, status: { ...changed.status, ready } };
}

/** The condition Paused in the words of Cluster API's core, which ignores `deleteForMoveAnnotation`. */
export function pausedStatement(
  cluster: Pausable | undefined,
  { kind, metadata }: Pick<KubeObject, "kind" | "metadata">,
): ConditionStatement {
  const messages = [
    ...(cluster?.spec?.paused ? ["Cluster spec.paused is set to true"] : []),
    ...(pausedAnnotation in (metadata.annotations ?? {})
      ? [`${kind} has the ${pausedAnnotation} annotation`]
      : []),
  ];
  if (messages.length === 0) return notPaused;
  return { type: "Paused", status: "True", reason: "Paused", message: messages.join(", ") };
}
