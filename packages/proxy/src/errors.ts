import { defineError } from "@rookery/errors";

/**
 * A file that the app or the proxy needs cannot be written or read.
 * `goal` reads after "could not", such as "write".
 */
export class ProxyFileError extends defineError(
  "ProxyFile",
  (goal: "read" | "write", file: string, options: { why: string } & ErrorOptions) => ({
    message: `could not ${goal} ${file}: ${options.why}`,
    file,
    cause: options.cause,
  }),
) {}

/** Why a watch is ended: the proxy stops. Never reaches a client, whose watch ends cleanly. */
export class DrainedError extends defineError(
  "Drained",
  () => "could not go on with the watch: the proxy is stopping",
) {}

/** For readiness: a listener that does not listen yet. */
export class NotListeningError extends defineError(
  "NotListening",
  (listener: string) => `could not serve by the ${listener}: it does not listen yet`,
) {}

/** For readiness: the upstream does not answer as it should. */
export class UpstreamNotReadyError extends defineError(
  "UpstreamNotReady",
  (status: number) => `could not use the API server: it answers /readyz with ${status}`,
) {}

/** For readiness: the app cannot start before its files are there. */
export class FilesNotWrittenError extends defineError(
  "FilesNotWritten",
  () => "could not let the app begin: its files are not written yet",
) {}

/** For readiness: an app that starts now would get lists with much that is not its own. */
export class NamespacesNotKnownError extends defineError(
  "NamespacesNotKnown",
  () => "could not narrow what the app sees: it is not known yet which namespaces there are",
) {}

/** An answer with objects of which nobody here can tell the namespaces. */
export class UnfilterableAnswerError extends defineError(
  "UnfilterableAnswer",
  (contentType: string | undefined, encoding: string) => {
    const type = contentType ?? "no type";
    return `could not narrow an answer of ${type}, ${encoding}: only JSON and Protobuf can be read here; ask for one of them`;
  },
) {}

/** The app is to show its own identity, and nobody has a token for it. */
export class MissingAppTokenError extends defineError(
  "MissingAppToken",
  () =>
    "could not give the app a token: --upstream has none that could be passed on; use --identity=proxy, or leave --app-service-account-dir out",
) {}
