import { remoteText } from "@rookery/http";
import { formatTime } from "@rookery/kube";

/** An error that trying again does not heal: the request is not retried until something changes. */
export class TerminalError extends Error {
  readonly code = "Terminal";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "TerminalError";
  }
}

/** A server has failed so often that it is left alone for a while. */
export class CircuitOpenError extends Error {
  readonly code = "CircuitOpen";
  readonly server: string;
  /** When trying again makes sense. */
  readonly retryAfterMs: number;

  /** The cause is how it failed last. */
  constructor(
    server: string,
    failures: number,
    retry: ErrorOptions & { readonly afterMs: number; readonly at: Date },
  ) {
    const { cause } = retry;
    const last = cause instanceof Error ? `; the last failure: ${remoteText(cause.message)}` : "";
    super(
      `could not reach ${server}: it failed ${failures} times in a row, and is tried again at ${formatTime(retry.at)}${last}`,
      retry,
    );
    this.name = "CircuitOpenError";
    this.server = server;
    this.retryAfterMs = retry.afterMs;
  }
}

/** Why a reconcile's signal was aborted: it took too long. */
export class ReconcileTimeoutError extends Error {
  readonly code = "ReconcileTimeout";
  readonly milliseconds: number;

  constructor(request: string, milliseconds: number) {
    super(`could not reconcile ${request}: it took longer than ${milliseconds} ms`);
    this.name = "ReconcileTimeoutError";
    this.milliseconds = milliseconds;
  }
}

/** A source of events that did not come up, or whose cache did not fill, in time. */
export class CacheSyncTimeoutError extends Error {
  readonly code = "CacheSyncTimeout";
  readonly controller: string;
  readonly source: string;

  constructor(controller: string, source: string, milliseconds: number) {
    super(
      `could not start controller ${controller}: source ${source} did not sync within ${milliseconds} ms`,
    );
    this.name = "CacheSyncTimeoutError";
    this.controller = controller;
    this.source = source;
  }
}

/** A controller or manager that is started again; each runs once. */
export class AlreadyStartedError extends Error {
  readonly code = "AlreadyStarted";

  constructor(what: string) {
    super(`could not start ${what}: it was started before`);
    this.name = "AlreadyStartedError";
  }
}

/** A runnable that is added to a manager which is stopping. */
export class ManagerStoppedError extends Error {
  readonly code = "ManagerStopped";

  constructor(runnable: string) {
    super(`could not add ${runnable}: the manager is stopping`);
    this.name = "ManagerStoppedError";
  }
}

/** Another instance may lead from now on: the process must end, at once. */
export class LeadershipLostError extends Error {
  readonly code = "LeadershipLost";

  constructor(options?: ErrorOptions) {
    super("could not go on: leader election lost", options);
    this.name = "LeadershipLostError";
  }
}

/** Runnables that went on after they were told to stop. */
export class GracePeriodExceededError extends Error {
  readonly code = "GracePeriodExceeded";
  readonly runnables: readonly string[];

  constructor(runnables: readonly string[], milliseconds: number) {
    super(
      `could not stop ${runnables.join(", ")}: still running after the grace period of ${milliseconds} ms`,
    );
    this.name = "GracePeriodExceededError";
    this.runnables = runnables;
  }
}

/** Durations of a leader election that do not fit together. */
export class LeaderElectionConfigError extends Error {
  readonly code = "LeaderElectionConfig";

  constructor(problem: string) {
    super(`could not set up leader election: ${problem}`);
    this.name = "LeaderElectionConfigError";
  }
}

/** A lease that this process held and that is somebody else's now, or nobody's ("" as holder). */
export class LeaseTakenError extends Error {
  readonly code = "LeaseTaken";
  readonly lease: string;
  readonly holder: string;

  constructor(lease: string, holder: string) {
    super(`could not renew lease ${lease}: ${holder === "" ? "nobody" : holder} holds it now`);
    this.name = "LeaseTakenError";
    this.lease = lease;
    this.holder = holder;
  }
}

/** A lease that could not be renewed in time; the cause is what went wrong last. */
export class RenewDeadlineError extends Error {
  readonly code = "RenewDeadline";
  readonly lease: string;

  constructor(lease: string, milliseconds: number, options?: ErrorOptions) {
    super(`could not renew lease ${lease}: no try succeeded within ${milliseconds} ms`, options);
    this.name = "RenewDeadlineError";
    this.lease = lease;
  }
}

/** A finalizer's work that failed; the finalizer stays on the object. */
export class FinalizerError extends Error {
  readonly code = "Finalizer";
  readonly finalizer: string;

  constructor(finalizer: string, options: ErrorOptions) {
    super(`could not finalize ${finalizer}: ${messageOf(options.cause)}`, options);
    this.name = "FinalizerError";
    this.finalizer = finalizer;
  }
}

/** A reconcile that changed the spec or metadata together with the status: a mistake in the program. */
export class MixedCommitError extends Error {
  readonly code = "MixedCommit";

  constructor(object: string) {
    super(`could not commit ${object}: its status changed together with its spec or metadata`);
    this.name = "MixedCommitError";
  }
}

/** A condition that this controller and somebody else changed, each in another way. */
export class ConditionConflictError extends Error {
  readonly code = "ConditionConflict";
  readonly condition: string;

  constructor(condition: string, why: string) {
    super(`could not merge condition ${condition}: ${why}`);
    this.name = "ConditionConflictError";
    this.condition = condition;
  }
}

/** An object that was deleted and made anew under its name since it was read. */
export class ObjectReplacedError extends Error {
  readonly code = "ObjectReplaced";

  constructor(object: string) {
    super(`could not commit ${object}: it was replaced by another of that name`);
    this.name = "ObjectReplacedError";
  }
}

/** A command line that cannot be followed, with all that is wrong with it. */
export class FlagsError extends Error {
  readonly code = "Flags";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`could not read the command line:\n${problems.map((line) => `  ${line}`).join("\n")}`);
    this.name = "FlagsError";
    this.problems = problems;
  }
}

/** An address to listen on that cannot be read. */
export class BindAddressError extends Error {
  readonly code = "BindAddress";

  constructor(text: string) {
    const form = '"host:port", ":port" for every address, or "0" for none';
    super(`could not read address ${JSON.stringify(text)}: it is ${form}`);
    this.name = "BindAddressError";
  }
}

/** A flag for the namespaces to watch that cannot be followed. */
export class NamespaceFlagError extends Error {
  readonly code = "NamespaceFlag";
  /** The flag as the user wrote it. */
  readonly flag: string;

  constructor(flag: string, why: string) {
    super(`could not use ${flag}: ${why}`);
    this.name = "NamespaceFlagError";
    this.flag = flag;
  }
}

/** A read in a namespace that this instance does not watch: whether the object exists is unknown. */
export class OutOfScopeError extends Error {
  readonly code = "OutOfScope";
  readonly resource: string;
  readonly namespace: string;
  /** What sets the scope, such as "--namespace=a,b". */
  readonly flag: string;

  constructor(read: { resource: string; namespace: string; flag: string }) {
    const { resource, namespace, flag } = read;
    super(
      `could not read ${resource} in namespace ${JSON.stringify(namespace)}: this instance does not watch it (${flag})`,
    );
    this.name = "OutOfScopeError";
    this.resource = resource;
    this.namespace = namespace;
    this.flag = flag;
  }
}

/** Why a watch was cut: nothing came for longer than the server may be silent. */
export class WatchSilentError extends Error {
  readonly code = "WatchSilent";
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`could not go on with the watch: nothing came for ${milliseconds} ms`);
    this.name = "WatchSilentError";
    this.milliseconds = milliseconds;
  }
}

/** A watch that the server ended without an error, but too soon. */
export class WatchEndedEarlyError extends Error {
  readonly code = "WatchEndedEarly";

  /** `when` reads after "the server ended it". */
  constructor(when: string) {
    super(`could not go on with the watch: the server ended it ${when}`);
    this.name = "WatchEndedEarlyError";
  }
}

/** A cache, or the handler of one, that ended before it was filled. */
export class CacheStoppedError extends Error {
  readonly code = "CacheStopped";

  constructor(resource: string) {
    super(`could not wait for the cache of ${resource}: it was stopped before it was filled`);
    this.name = "CacheStoppedError";
  }
}

/** A query by an index that nobody added. */
export class IndexMissingError extends Error {
  readonly code = "IndexMissing";
  readonly index: string;

  constructor(index: string, known: readonly string[]) {
    const there = known.length === 0 ? "there is none" : `there are ${known.join(", ")}`;
    super(`could not list by index ${JSON.stringify(index)}: it was not added; ${there}`);
    this.name = "IndexMissingError";
    this.index = index;
  }
}

/** An object that cannot be written in another version. Users see the words. */
export class ConversionError extends Error {
  readonly code = "Conversion";

  constructor(what: string, why: string) {
    super(`could not convert ${what}: ${why}`);
    this.name = "ConversionError";
  }
}

/** A pair of certificate files that cannot be served. */
export class CertificateFilesError extends Error {
  readonly code = "CertificateFiles";

  constructor(folder: string, why: string) {
    super(`could not serve the certificate in ${folder}: ${why}`);
    this.name = "CertificateFilesError";
  }
}

/** A second webhook at one path. */
export class DuplicateWebhookError extends Error {
  readonly code = "DuplicateWebhook";

  constructor(path: string) {
    super(`could not register the webhook at ${path}: there is one already`);
    this.name = "DuplicateWebhookError";
  }
}

/** Why a process with webhooks is not ready yet. */
export class WebhookServerNotStartedError extends Error {
  readonly code = "WebhookServerNotStarted";

  constructor() {
    super("could not reach the webhook server: it has not been started yet");
    this.name = "WebhookServerNotStartedError";
  }
}

/** Something needs the namespace that this process runs in, and it is not known. */
export class OwnNamespaceError extends Error {
  readonly code = "OwnNamespaceUnknown";

  constructor(flag: string) {
    super(
      `could not use ${flag}: the namespace of this process is not known; set POD_NAMESPACE, as a pod does by the downward API`,
    );
    this.name = "OwnNamespaceError";
  }
}

/** A flag that all providers know, and that means nothing to this one. */
export class UnsupportedFlagError extends Error {
  readonly code = "UnsupportedFlag";

  constructor(flag: string) {
    super(`could not use ${flag}: this program has nothing for it to change; leave it out`);
    this.name = "UnsupportedFlagError";
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
