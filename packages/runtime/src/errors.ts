import { defineError } from "@rookery/errors";
import { remoteText } from "@rookery/http";
import { formatTime } from "@rookery/kube";

/** An error that a retry does not solve: the request is not retried until something changes. */
export class TerminalError extends defineError("Terminal") {}

/** The circuit of a server is open after repeated failures. The cause is the last failure. */
export class CircuitOpenError extends defineError(
  "CircuitOpen",
  (
    server: string,
    failures: number,
    { afterMs, at, cause }: ErrorOptions & { readonly afterMs: number; readonly at: Date },
  ) => {
    const last = cause instanceof Error ? `; the last failure: ${remoteText(cause.message)}` : "";
    return {
      message: `could not reach ${server}: it failed ${failures} times in a row, and is tried again at ${formatTime(at)}${last}`,
      server,
      retryAfterMs: afterMs,
      cause,
    };
  },
) {}

/** A reconcile exceeded its time limit: the reason of its signal. */
export class ReconcileTimeoutError extends defineError(
  "ReconcileTimeout",
  (request: string, milliseconds: number) => ({
    message: `could not reconcile ${request}: it took longer than ${milliseconds} ms`,
    milliseconds,
  }),
) {}

/** A source of events did not start, or its cache was not filled, in time. */
export class CacheSyncTimeoutError extends defineError(
  "CacheSyncTimeout",
  (controller: string, source: string, milliseconds: number) => ({
    message: `could not start controller ${controller}: source ${source} did not sync within ${milliseconds} ms`,
    controller,
    source,
  }),
) {}

/** A controller or manager was started twice. */
export class AlreadyStartedError extends defineError(
  "AlreadyStarted",
  (what: string) => `could not start ${what}: it was started before`,
) {}

/** A runnable was added to a manager that is stopping. */
export class ManagerStoppedError extends defineError(
  "ManagerStopped",
  (runnable: string) => `could not add ${runnable}: the manager is stopping`,
) {}

/** Another instance may lead from now on: the process must end at once. */
export class LeadershipLostError extends defineError(
  "LeadershipLost",
  (options?: ErrorOptions) => ({
    message: "could not go on: leader election lost",
    ...options,
  }),
) {}

/** Runnables did not stop in time. */
export class GracePeriodExceededError extends defineError(
  "GracePeriodExceeded",
  (runnables: readonly string[], milliseconds: number) => ({
    message: `could not stop ${runnables.join(", ")}: still running after the grace period of ${milliseconds} ms`,
    runnables,
  }),
) {}

/** The durations of a leader election do not fit together. */
export class LeaderElectionConfigError extends defineError(
  "LeaderElectionConfig",
  (problem: string) => `could not set up leader election: ${problem}`,
) {}

/** Another process holds the lease of this process now, or nobody ("" as holder). */
export class LeaseTakenError extends defineError("LeaseTaken", (lease: string, holder: string) => ({
  message: `could not renew lease ${lease}: ${holder === "" ? "nobody" : holder} holds it now`,
  lease,
  holder,
})) {}

/** A lease could not be renewed in time. The cause is the last failure. */
export class RenewDeadlineError extends defineError(
  "RenewDeadline",
  (lease: string, milliseconds: number, options?: ErrorOptions) => ({
    message: `could not renew lease ${lease}: no try succeeded within ${milliseconds} ms`,
    lease,
    ...options,
  }),
) {}

/** A reconcile changed the status together with other fields: a programming mistake. */
export class MixedCommitError extends defineError(
  "MixedCommit",
  (object: string) =>
    `could not commit ${object}: its status changed together with its spec or metadata`,
) {}

/** Another writer changed a condition in another way. */
export class ConditionConflictError extends defineError(
  "ConditionConflict",
  (condition: string, why: string) => ({
    message: `could not merge condition ${condition}: ${why}`,
    condition,
  }),
) {}

/** An object was replaced by another one of its name since it was read. */
export class ObjectReplacedError extends defineError(
  "ObjectReplaced",
  (object: string) => `could not commit ${object}: it was replaced by another of that name`,
) {}

/** The problems of a command line. */
export class FlagsError extends defineError("Flags", (problems: readonly string[]) => ({
  message: `could not read the command line:\n${problems.map((line) => `  ${line}`).join("\n")}`,
  problems,
})) {}

/** An address to listen on is not valid. */
export class BindAddressError extends defineError("BindAddress", (text: string) => {
  const form = '"host:port", ":port" for every address, or "0" for none';
  return `could not read address ${JSON.stringify(text)}: it is ${form}`;
}) {}

/** A flag for the namespaces to watch is not valid. */
export class NamespaceFlagError extends defineError(
  "NamespaceFlag",
  (flag: string, why: string) => ({
    message: `could not use ${flag}: ${why}`,
    /** The flag as the user wrote it. */
    flag,
  }),
) {}

interface OutOfScopeRead {
  readonly resource: string;
  readonly namespace: string;
  /** What sets the scope, such as "--namespace=a,b". */
  readonly flag: string;
}

/** A read in a namespace that the instance does not watch: whether the object exists is unknown. */
export class OutOfScopeError extends defineError("OutOfScope", (read: OutOfScopeRead) => ({
  message: `could not read ${read.resource} in namespace ${JSON.stringify(read.namespace)}: this instance does not watch it (${read.flag})`,
  ...read,
})) {}

/** A watch was aborted, because the server was silent for too long. */
export class WatchSilentError extends defineError("WatchSilent", (milliseconds: number) => ({
  message: `could not go on with the watch: nothing came for ${milliseconds} ms`,
  milliseconds,
})) {}

/** The server ended a watch without an error, but too soon. */
export class WatchEndedEarlyError extends defineError(
  "WatchEndedEarly",
  (when: string) => `could not go on with the watch: the server ended it ${when}`,
) {}

/** A cache, or its handler, ended before it was filled. */
export class CacheStoppedError extends defineError(
  "CacheStopped",
  (resource: string) =>
    `could not wait for the cache of ${resource}: it was stopped before it was filled`,
) {}

/** A query by an unknown index. */
export class IndexMissingError extends defineError(
  "IndexMissing",
  (index: string, known: readonly string[]) => {
    const there = known.length === 0 ? "there is none" : `there are ${known.join(", ")}`;
    return {
      message: `could not list by index ${JSON.stringify(index)}: it was not added; ${there}`,
      index,
    };
  },
) {}

/** An object cannot be converted to another version. Users see the message. */
export class ConversionError extends defineError(
  "Conversion",
  (what: string, why: string) => `could not convert ${what}: ${why}`,
) {}

/** A pair of certificate files cannot be served. */
export class CertificateFilesError extends defineError(
  "CertificateFiles",
  (folder: string, why: string) => `could not serve the certificate in ${folder}: ${why}`,
) {}

/** Two webhooks have the same path. */
export class DuplicateWebhookError extends defineError(
  "DuplicateWebhook",
  (path: string) => `could not register the webhook at ${path}: there is one already`,
) {}

/** The webhook server does not listen yet. */
export class WebhookServerNotStartedError extends defineError(
  "WebhookServerNotStarted",
  () => "could not reach the webhook server: it has not been started yet",
) {}

/** The namespace of the process is needed, and not known. */
export class OwnNamespaceError extends defineError(
  "OwnNamespaceUnknown",
  (flag: string) =>
    `could not use ${flag}: the namespace of this process is not known; set POD_NAMESPACE, as a pod does by the downward API`,
) {}

/** A flag of every provider does not apply to this one. */
export class UnsupportedFlagError extends defineError(
  "UnsupportedFlag",
  (flag: string) =>
    `could not use ${flag}: this program has nothing for it to change; leave it out`,
) {}
