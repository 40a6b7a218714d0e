import { defineError } from "@rookery/errors";
import { formatApiVersion, type GroupVersion } from "@rookery/kube";

/** Where in a configuration something is wrong. Every part that is known is named. */
export interface ConfigPlace {
  readonly file?: string | undefined;
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  /** As it is written in the file, such as "certificate-authority-data". */
  readonly field?: string | undefined;
}

/** A configuration that cannot be used. Its message names the place and never a secret. */
export class ConfigError extends defineError(
  "InvalidConfig",
  (reason: string, place: ConfigPlace = {}, options?: ErrorOptions) => ({
    message: `could not use ${describePlace(place)}: ${reason}`,
    /** Why, without the place. */
    reason,
    file: place.file,
    context: place.context,
    cluster: place.cluster,
    user: place.user,
    field: place.field,
    ...options,
  }),
) {}

function describePlace({ file, context, cluster, user, field }: ConfigPlace): string {
  const parts = [
    field && `field ${field}`,
    user && `user ${JSON.stringify(user)}`,
    cluster && `cluster ${JSON.stringify(cluster)}`,
    context && `context ${JSON.stringify(context)}`,
  ].filter((part) => part);
  const where = file ? `kubeconfig ${file}` : "the client configuration";
  return parts.length === 0 ? where : `${parts.join(" of ")} in ${where}`;
}

/** No proof of who the client is could be had: a plugin failed, a token file is gone. */
export class CredentialError extends defineError(
  "NoCredentials",
  (reason: string, options?: ErrorOptions) => ({
    message: `could not get credentials: ${reason}`,
    ...options,
  }),
) {}

/**
 * A namespace where the resource has none, or none where it needs one. Nothing was sent.
 * `what` reads after "could not", such as `get configmaps "a"`.
 */
export class ScopeError extends defineError(
  "WrongScope",
  (what: string, reason: string) => `could not ${what}: ${reason}`,
) {}

/** The time that a request was given is over, retries included. */
export class RequestTimeoutError extends defineError(
  "RequestTimedOut",
  (request: { readonly method: string; readonly path: string }, milliseconds: number) => ({
    message: `could not ${request.method} ${request.path}: not done within ${milliseconds} ms`,
    milliseconds,
  }),
) {}

/** An answer that says success but is not what was asked for, such as a proxy's login page. */
export class UnexpectedAnswerError extends defineError(
  "UnexpectedAnswer",
  (request: { readonly method: string; readonly path: string }, reason: string) =>
    `could not ${request.method} ${request.path}: ${reason}`,
) {}

/** A watch that sent what is not an event. */
export class WatchEventError extends defineError(
  "InvalidWatchEvent",
  (path: string, reason: string) => `could not watch ${path}: ${reason}`,
) {}

/** What was searched for in discovery: a kind, or a resource by any of its names. */
export type Wanted = Partial<GroupVersion> &
  ({ readonly kind: string } | { readonly resource: string });

/**
 * A kind or resource that the server does not serve.
 * `known` tells what the server serves that comes close.
 */
export class NoMatchError extends defineError(
  "NoMatch",
  (wanted: Wanted, known: string, options?: ErrorOptions) => ({
    message: `could not find ${describeWanted(wanted)}: no matches; ${known}`,
    wanted,
    ...options,
  }),
) {}

function describeWanted(wanted: Wanted): string {
  const { group, version } = wanted;
  const what =
    "kind" in wanted
      ? `kind ${JSON.stringify(wanted.kind)}`
      : `resource ${JSON.stringify(wanted.resource)}`;
  if (version)
    return `${what} in version ${JSON.stringify(formatApiVersion({ group: group ?? "", version }))}`;
  return group === undefined ? what : `${what} in group ${JSON.stringify(group)}`;
}
