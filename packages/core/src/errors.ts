/** A kind that a Cluster or a Machine names cannot be used as a provider's. */
export class ContractError extends Error {
  override readonly name = "ContractError";
  readonly code = "Contract";

  constructor(kind: string, why: string, options: ErrorOptions = {}) {
    super(`could not use the kind ${kind}: ${why}`, options);
  }
}

/** A Cluster names an object that is a part of another one, which would be deleted with either. */
export class PartTakenError extends Error {
  override readonly name = "PartTakenError";
  readonly code = "PartTaken";

  constructor(object: { readonly kind: string; readonly name: string }, owner: string) {
    super(
      `could not use ${object.kind} ${object.name}: it belongs to Cluster ${owner}; name another one`,
    );
  }
}

/** What a Cluster or a Machine was made of is gone although that one is still there. */
export class PartLostError extends Error {
  override readonly name = "PartLostError";
  readonly code = "PartLost";

  constructor(kind: string, name: string, what: string) {
    super(`could not find ${kind} ${name}: it has been deleted after it was ${what}`);
  }
}

/** The API server of a cluster is not connected to. */
export class NotConnectedError extends Error {
  override readonly name = "NotConnectedError";
  readonly code = "NotConnected";

  constructor(cluster: string) {
    super(`could not reach the cluster ${cluster}: there is no connection to its API server`);
  }
}

/** A node of a machine is not there, or there are several. */
export class NodeError extends Error {
  override readonly name = "NodeError";
  readonly code = "Node";
}

/** A ConfigMap or Secret of a ClusterResourceSet cannot be applied. */
export class ResourceError extends Error {
  override readonly name = "ResourceError";
  readonly code = "Resource";
  readonly reason: "WrongSecretType" | "Missing" | "Unreadable";

  constructor(reason: ResourceError["reason"], what: string, why: string) {
    super(`could not apply ${what}: ${why}`);
    this.reason = reason;
  }
}

/** What went wrong in a reconcile, where the conditions of the object say it already. */
export class ReportedError extends Error {
  override readonly name = "ReportedError";
  readonly code = "Reported";

  constructor(problems: readonly unknown[]) {
    const cause = oneError(problems);
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** One error for all that went wrong in a reconcile. */
export function oneError(problems: readonly unknown[]): unknown {
  if (problems.length <= 1) return problems[0];
  const messages = problems.map((one) => (one instanceof Error ? one.message : String(one)));
  return new AggregateError(problems, messages.join("; "));
}
