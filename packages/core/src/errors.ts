import { defineError, messageOf } from "@rookery/errors";

/** A kind that a Cluster or a Machine names cannot be used as a provider's. */
export class ContractError extends defineError(
  "Contract",
  (kind: string, why: string, options?: ErrorOptions) => ({
    message: `could not use the kind ${kind}: ${why}`,
    ...options,
  }),
) {}

/** A Cluster names an object that is a part of another one, which would be deleted with either. */
export class PartTakenError extends defineError(
  "PartTaken",
  (object: { readonly kind: string; readonly name: string }, owner: string) =>
    `could not use ${object.kind} ${object.name}: it belongs to Cluster ${owner}; name another one`,
) {}

/** What a Cluster or a Machine was made of is gone although that one is still there. */
export class PartLostError extends defineError(
  "PartLost",
  (kind: string, name: string, what: string) =>
    `could not find ${kind} ${name}: it has been deleted after it was ${what}`,
) {}

/** The API server of a cluster is not connected to. */
export class NotConnectedError extends defineError(
  "NotConnected",
  (cluster: string) =>
    `could not reach the cluster ${cluster}: there is no connection to its API server`,
) {}

/** A node of a machine is not there, or there are several. */
export class NodeError extends defineError("Node") {}

/** A ConfigMap or Secret of a ClusterResourceSet cannot be applied. */
export class ResourceError extends defineError(
  "Resource",
  (reason: "WrongSecretType" | "Missing" | "Unreadable", what: string, why: string) => ({
    message: `could not apply ${what}: ${why}`,
    reason,
  }),
) {}

/** What went wrong in a reconcile, where the conditions of the object say it already. */
export class ReportedError extends defineError("Reported", (problems: readonly unknown[]) => {
  const cause = oneError(problems);
  return { message: messageOf(cause), cause };
}) {}

/** One error for all that went wrong in a reconcile. */
export function oneError(problems: readonly unknown[]): unknown {
  if (problems.length <= 1) return problems[0];
  return new AggregateError(problems, problems.map(messageOf).join("; "));
}
