/** A file that the app or the proxy needs cannot be written or read. */
export class ProxyFileError extends Error {
  override readonly name = "ProxyFileError";
  readonly code = "ProxyFile";
  readonly file: string;

  /** `goal` reads after "could not", such as "write". */
  constructor(goal: "read" | "write", file: string, options: { why: string } & ErrorOptions) {
    super(`could not ${goal} ${file}: ${options.why}`, { cause: options.cause });
    this.file = file;
  }
}

/** Why a watch is ended: the proxy stops. Never reaches a client, whose watch ends cleanly. */
export class DrainedError extends Error {
  override readonly name = "DrainedError";
  readonly code = "Drained";

  constructor() {
    super("could not go on with the watch: the proxy is stopping");
  }
}

/** For readiness: a listener that does not listen yet. */
export class NotListeningError extends Error {
  override readonly name = "NotListeningError";
  readonly code = "NotListening";

  constructor(listener: string) {
    super(`could not serve by the ${listener}: it does not listen yet`);
  }
}

/** For readiness: the upstream does not answer as it should. */
export class UpstreamNotReadyError extends Error {
  override readonly name = "UpstreamNotReadyError";
  readonly code = "UpstreamNotReady";

  constructor(status: number) {
    super(`could not use the API server: it answers /readyz with ${status}`);
  }
}

/** For readiness: the app cannot start before its files are there. */
export class FilesNotWrittenError extends Error {
  override readonly name = "FilesNotWrittenError";
  readonly code = "FilesNotWritten";

  constructor() {
    super("could not let the app begin: its files are not written yet");
  }
}

/** For readiness: an app that starts now would get lists with much that is not its own. */
export class NamespacesNotKnownError extends Error {
  override readonly name = "NamespacesNotKnownError";
  readonly code = "NamespacesNotKnown";

  constructor() {
    super("could not narrow what the app sees: it is not known yet which namespaces there are");
  }
}

/** An answer with objects of which nobody here can tell the namespaces. */
export class UnfilterableAnswerError extends Error {
  override readonly name = "UnfilterableAnswerError";
  readonly code = "UnfilterableAnswer";

  constructor(contentType: string | undefined, encoding: string) {
    const type = contentType ?? "no type";
    super(
      `could not narrow an answer of ${type}, ${encoding}: only JSON and Protobuf can be read here; ask for one of them`,
    );
  }
}

/** The app is to show its own identity, and nobody has a token for it. */
export class MissingAppTokenError extends Error {
  override readonly name = "MissingAppTokenError";
  readonly code = "MissingAppToken";

  constructor() {
    super(
      "could not give the app a token: --upstream has none that could be passed on; use --identity=proxy, or leave --app-service-account-dir out",
    );
  }
}
