import { defineError } from "@rookery/errors";

/** A file of the app or the proxy that cannot be written or read. */
export class ProxyFileError extends defineError(
  "ProxyFile",
  (goal: "read" | "write", file: string, options: { why: string } & ErrorOptions) => ({
    message: `could not ${goal} ${file}: ${options.why}`,
    file,
    cause: options.cause,
  }),
) {}

/** Ends a watch because the proxy stops. Never reaches a client, whose watch ends cleanly. */
export class DrainedError extends defineError(
  "Drained",
  () => "could not go on with the watch: the proxy is stopping",
) {}

/** For readiness: the listener is not listening yet. */
export class NotListeningError extends defineError(
  "NotListening",
  (listener: string) => `could not serve by the ${listener}: it does not listen yet`,
) {}

/** For readiness: the upstream returns an unexpected status. */
export class UpstreamNotReadyError extends defineError(
  "UpstreamNotReady",
  (status: number) => `could not use the API server: it answers /readyz with ${status}`,
) {}

/** For readiness: the app needs its files. */
export class FilesNotWrittenError extends defineError(
  "FilesNotWritten",
  () => "could not let the app begin: its files are not written yet",
) {}

/** For readiness: without namespaces an app would get lists of foreign objects. */
export class NamespacesNotKnownError extends defineError(
  "NamespacesNotKnown",
  () => "could not narrow what the app sees: it is not known yet which namespaces there are",
) {}

/** A response with objects of unknown namespaces. */
export class UnfilterableAnswerError extends defineError(
  "UnfilterableAnswer",
  (contentType: string | undefined, encoding: string) => {
    const type = contentType ?? "no type";
    return `could not narrow an answer of ${type}, ${encoding}: only JSON and Protobuf can be read here; ask for one of them`;
  },
) {}

/** The app needs a token, and there is none to pass on. */
export class MissingAppTokenError extends defineError(
  "MissingAppToken",
  () =>
    "could not give the app a token: --upstream has none that could be passed on; use --identity=proxy, or leave --app-service-account-dir out",
) {}
