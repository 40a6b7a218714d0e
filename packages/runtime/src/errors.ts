import { defineError } from "@rookery/errors";
import { remoteText } from "@rookery/http";
import { formatTime } from "@rookery/kube";

/** An error that trying again does not heal: the request is not retried until something changes. */
export class TerminalError extends defineError("Terminal") {}

/**
 * A server has failed so often that it is left alone for a while.
 * The cause is how it failed last.
 */
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
      /** When trying again makes sense. */
      retryAfterMs: afterMs,
      cause,
    };
  },
) {}

/** Why a reconcile's signal was aborted: it took too long. */
export class ReconcileTimeoutError extends defineError(
  "ReconcileTimeout",
  (request: string, milliseconds: number) => ({
    message: `could not reconcile ${request}: it took longer than ${milliseconds} ms`,
    milliseconds,
  }),
) {}

/** A source of events that did not come up, or whose cache did not fill, in time. */
export class CacheSyncTimeoutError extends defineError(
  "CacheSyncTimeout",
  (controller: string, source: string, milliseconds: number) => ({
    message: `could not start controller ${controller}: source ${source} did not sync within ${milliseconds} ms`,
    controller,
    source,
  }),
) {}

/** A controller or manager that is started again; each runs once. */
export class AlreadyStartedError extends defineError(
  "AlreadyStarted",
  (what: string) => `could not start ${what}: it was started before`,
) {}

/** A runnable that is added to a manager which is stopping. */
export class ManagerStoppedError extends defineError(
  "ManagerStopped",
  (runnable: string) => `could not add ${runnable}: the manager is stopping`,
) {}

/** Another instance may lead from now on: the process must end, at once. */
export class LeadershipLostError extends defineError(
  "LeadershipLost",
  (options?: ErrorOptions) => ({
    message: "could not go on: leader election lost",
    ...options,
  }),
) {}

/** Runnables that went on after they were told to stop. */
export class GracePeriodExceededError extends defineError(
  "GracePeriodExceeded",
  (runnables: readonly string[], milliseconds: number) => ({
    message: `could not stop ${runnables.join(", ")}: still running after the grace period of ${milliseconds} ms`,
    runnables,
  }),
) {}

/** Durations of a leader election that do not fit together. */
export class LeaderElectionConfigError extends defineError(
  "LeaderElectionConfig",
  (problem: string) => `could not set up leader election: ${problem}`,
) {}

/** A lease that this process held and that is somebody else's now, or nobody's ("" as holder). */
export class LeaseTakenError extends defineError("LeaseTaken", (lease: string, holder: string) => ({
  message: `could not renew lease ${lease}: ${holder === "" ? "nobody" : holder} holds it now`,
  lease,
  holder,
})) {}

/** A lease that could not be renewed in time; the cause is what went wrong last. */
export class RenewDeadlineError extends defineError(
  "RenewDeadline",
  (lease: string, milliseconds: number, options?: ErrorOptions) => ({
    message: `could not renew lease ${lease}: no try succeeded within ${milliseconds} ms`,
    lease,
    ...options,
  }),
) {}

/** A reconcile that changed the spec or metadata together with the status: a mistake in the program. */
export class MixedCommitError extends defineError(
  "MixedCommit",
  (object: string) =>
    `could not commit ${object}: its status changed together with its spec or metadata`,
) {}

/** A condition that this controller and somebody else changed, each in another way. */
export class ConditionConflictError extends defineError(
  "ConditionConflict",
  (condition: string, why: string) => ({
    message: `could not merge condition ${condition}: ${why}`,
    condition,
  }),
) {}

/** An object that was deleted and made anew under its name since it was read. */
export class ObjectReplacedError extends defineError(
  "ObjectReplaced",
  (object: string) => `could not commit ${object}: it was replaced by another of that name`,
) {}

/** A command line that cannot be followed, with all that is wrong with it. */
export class FlagsError extends defineError("Flags", (problems: readonly string[]) => ({
  message: `could not read the command line:\n${problems.map((line) => `  ${line}`).join("\n")}`,
  problems,
})) {}

/** An address to listen on that cannot be read. */
export class BindAddressError extends defineError("BindAddress", (text: string) => {
  const form = '"host:port", ":port" for every address, or "0" for none';
  return `could not read address ${JSON.stringify(text)}: it is ${form}`;
}) {}

/** A flag for the namespaces to watch that cannot be followed. */
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

/** A read in a namespace that this instance does not watch: whether the object exists is unknown. */
export class OutOfScopeError extends defineError("OutOfScope", (read: OutOfScopeRead) => ({
  message: `could not read ${read.resource} in namespace ${JSON.stringify(read.namespace)}: this instance does not watch it (${read.flag})`,
  ...read,
})) {}

/** Why a watch was cut: nothing came for longer than the server may be silent. */
export class WatchSilentError extends defineError("WatchSilent", (milliseconds: number) => ({
  message: `could not go on with the watch: nothing came for ${milliseconds} ms`,
  milliseconds,
})) {}

/**
 * A watch that the server ended without an error, but too soon.
 * `when` reads after "the server ended it".
 */
export class WatchEndedEarlyError extends defineError(
  "WatchEndedEarly",
  (when: string) => `could not go on with the watch: the server ended it ${when}`,
) {}

/** A cache, or the handler of one, that ended before it was filled. */
export class CacheStoppedError extends defineError(
  "CacheStopped",
  (resource: string) =>
    `could not wait for the cache of ${resource}: it was stopped before it was filled`,
) {}

/** A query by an index that nobody added. */
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

/** An object that cannot be written in another version. Users see the words. */
export class ConversionError extends defineError(
  "Conversion",
  (what: string, why: string) => `could not convert ${what}: ${why}`,
) {}

/** A pair of certificate files that cannot be served. */
export class CertificateFilesError extends defineError(
  "CertificateFiles",
  (folder: string, why: string) => `could not serve the certificate in ${folder}: ${why}`,
) {}

/** A second webhook at one path. */
export class DuplicateWebhookError extends defineError(
  "DuplicateWebhook",
  (path: string) => `could not register the webhook at ${path}: there is one already`,
) {}

/** Why a process with webhooks is not ready yet. */
export class WebhookServerNotStartedError extends defineError(
  "WebhookServerNotStarted",
  () => "could not reach the webhook server: it has not been started yet",
) {}

/** Something needs the namespace that this process runs in, and it is not known. */
export class OwnNamespaceError extends defineError(
  "OwnNamespaceUnknown",
  (flag: string) =>
    `could not use ${flag}: the namespace of this process is not known; set POD_NAMESPACE, as a pod does by the downward API`,
) {}

/** A flag that all providers know, and that means nothing to this one. */
export class UnsupportedFlagError extends defineError(
  "UnsupportedFlag",
  (flag: string) =>
    `could not use ${flag}: this program has nothing for it to change; leave it out`,
) {}
