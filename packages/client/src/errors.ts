import { defineError } from "@rookery/errors";
import { formatApiVersion, type GroupVersion } from "@rookery/kube";

/** The place of a configuration error, as far as known. */
export interface ConfigPlace {
  readonly file?: string | undefined;
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  /** As in the file, such as "certificate-authority-data". */
  readonly field?: string | undefined;
}

/** An invalid configuration. The message names the place and never a secret. */
export class ConfigError extends defineError(
  "InvalidConfig",
  (reason: string, place: ConfigPlace = {}, options?: ErrorOptions) => ({
    message: `could not use ${describePlace(place)}: ${reason}`,
    /** Without the place. */
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

/** No credential is available: a plugin failed, a token file is missing. */
export class CredentialError extends defineError(
  "NoCredentials",
  (reason: string, options?: ErrorOptions) => ({
    message: `could not get credentials: ${reason}`,
    ...options,
  }),
) {}

/**
 * A missing or unexpected namespace. Nothing was sent. `what` completes "could not", such as `get
 * configmaps "a"`.
 */
export class ScopeError extends defineError(
  "WrongScope",
  (what: string, reason: string) => `could not ${what}: ${reason}`,
) {}

/** The request and its retries exceeded their time. */
export class RequestTimeoutError extends defineError(
  "RequestTimedOut",
  (request: { readonly method: string; readonly path: string }, milliseconds: number) => ({
    message: `could not ${request.method} ${request.path}: not done within ${milliseconds} ms`,
    milliseconds,
  }),
) {}

/** A successful response with unexpected content, such as a proxy's login page. */
export class UnexpectedAnswerError extends defineError(
  "UnexpectedAnswer",
  (request: { readonly method: string; readonly path: string }, reason: string) =>
    `could not ${request.method} ${request.path}: ${reason}`,
) {}

export class WatchEventError extends defineError(
  "InvalidWatchEvent",
  (path: string, reason: string) => `could not watch ${path}: ${reason}`,
) {}

/** A kind, or a resource by any of its names. */
export type Wanted = Partial<GroupVersion> &
  ({ readonly kind: string } | { readonly resource: string });

/** A kind or resource that the server does not serve. `known` names similar ones. */
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
