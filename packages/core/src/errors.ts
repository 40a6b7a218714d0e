import { defineError, messageOf } from "@rookery/errors";

/** A Cluster or a Machine names a kind that breaks the contract of providers. */
export class ContractError extends defineError(
  "Contract",
  (kind: string, why: string, options?: ErrorOptions) => ({
    message: `could not use the kind ${kind}: ${why}`,
    ...options,
  }),
) {}

/** A Cluster names a part of another Cluster. The part would be deleted with either of them. */
export class PartTakenError extends defineError(
  "PartTaken",
  (object: { readonly kind: string; readonly name: string }, owner: string) =>
    `could not use ${object.kind} ${object.name}: it belongs to Cluster ${owner}; name another one`,
) {}

/** A part was deleted although its Cluster or Machine still exists. */
export class PartLostError extends defineError(
  "PartLost",
  (kind: string, name: string, what: string) =>
    `could not find ${kind} ${name}: it has been deleted after it was ${what}`,
) {}

/** There is no connection to the API server of a cluster. */
export class NotConnectedError extends defineError(
  "NotConnected",
  (cluster: string) =>
    `could not reach the cluster ${cluster}: there is no connection to its API server`,
) {}

/** The node of a Machine is missing, or there are several. */
export class NodeError extends defineError("Node") {}

/** A ConfigMap or Secret of a ClusterResourceSet cannot be applied. */
export class ResourceError extends defineError(
  "Resource",
  (reason: "WrongSecretType" | "Missing" | "Unreadable", what: string, why: string) => ({
    message: `could not apply ${what}: ${why}`,
    reason,
  }),
) {}

/** The errors of a reconcile, where the conditions of the object show them already. */
export class ReportedError extends defineError("Reported", (problems: readonly unknown[]) => {
  const cause = oneError(problems);
  return { message: messageOf(cause), cause };
}) {}

/** One error for all errors of a reconcile. */
export function oneError(problems: readonly unknown[]): unknown {
  if (problems.length <= 1) return problems[0];
  return new AggregateError(problems, problems.map(messageOf).join("; "));
}
