import { defineError } from "@rookery/errors";

export type RequestErrorCode =
  | "ConnectionRefused"
  | "ConnectFailed"
  | "TlsFailed"
  | "TimedOut"
  | "DeadlineExceeded"
  | "AnswerTooLarge"
  | "ConnectionLost"
  | "InvalidRequest"
  | "InvalidResponse"
  | "BodyFailed"
  | "ClientClosed";

/**
 * How far a request came: not sent, no response, or an incomplete one. After "connect" a retry is
 * safe for any method.
 */
export type RequestStage = "connect" | "headers" | "body";

export interface FailedRequest {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly stage: RequestStage;
}

/** A failed request or an incomplete response. Contains no headers, query or body. */
export class RequestError extends defineError(
  (request: FailedRequest, code: RequestErrorCode, why: { reason: string } & ErrorOptions) => {
    const { method, origin, path, stage } = request;
    const target = `${method} ${origin}${path}`;
    const goal = stage === "body" ? `read the answer to ${target}` : target;
    const message = `could not ${goal}: ${why.reason}`;
    return { code, message, method, origin, path, stage, cause: why.cause };
  },
) {}

export class InvalidOriginError extends defineError(
  "InvalidOrigin",
  (origin: string) =>
    `could not create a client for ${JSON.stringify(origin)}: it takes scheme, host and port alone, such as https://10.0.0.1:6443`,
) {}

/** An invalid thumbprint of a server's certificate. */
export class InvalidThumbprintError extends defineError(
  "InvalidThumbprint",
  (thumbprint: string, why: string) =>
    `could not use the thumbprint ${JSON.stringify(thumbprint)}: ${why}`,
) {}

/** The server has another certificate: the cause of a RequestError. */
export class ThumbprintMismatchError extends defineError(
  "ERR_TLS_THUMBPRINT",
  (wanted: string, found: string) => ({
    message: `the server's certificate has the thumbprint ${colons(found)}, not ${colons(wanted)}`,
    wanted,
    found,
  }),
) {}

export class BodyTooLargeError extends defineError("BodyTooLarge", (limit: number) => ({
  message: `could not read the body: it is longer than ${limit} bytes`,
  limit,
})) {}

export class BodyUsedError extends defineError(
  "BodyUsed",
  () => "could not read the body: it has been read before, and it can be read only once",
) {}

/** A body whose length differs from its content-length header. */
export class BodyLengthMismatchError extends defineError(
  "BodyLengthMismatch",
  (declared: number, written: number) => ({
    message: `could not write the body: content-length is ${declared}, but the body has ${written} bytes`,
    declared,
    written,
  }),
) {}

/** Aborts an unwanted body. */
export class DiscardedError extends defineError(
  "Discarded",
  () => "could not go on with the body: its reader does not want it",
) {}

/** Aborts a request whose client is gone or too slow. */
export class PeerGoneError extends defineError(
  "PeerGone",
  (reason = "the client closed the connection or reset the stream") =>
    `could not go on with the request: ${reason}`,
) {}

/** Aborts a request at the end of the server's grace period. */
export class ServerStoppedError extends defineError(
  "ServerStopped",
  () => "could not go on with the request: the server is stopping",
) {}

/** A status or a header that HTTP does not allow. */
export class InvalidResponseError extends defineError(
  "InvalidResponse",
  (reason: string, options?: ErrorOptions) => ({
    message: `could not send the response: ${reason}`,
    ...options,
  }),
) {}

export class ListenError extends defineError(
  ({ host, port }: { host: string; port: number }, cause: NodeJS.ErrnoException) => {
    const inUse = cause.code === "EADDRINUSE";
    const reason = inUse
      ? "something else listens there; stop it, or choose another port (0 takes any free one)"
      : cause.message;
    return {
      code: inUse ? "AddressInUse" : "ListenFailed",
      message: `could not listen on ${host.includes(":") ? `[${host}]` : host}:${port}: ${reason}`,
      host,
      port,
      cause,
    };
  },
) {}

function colons(hex: string): string {
  return hex.replaceAll(/([0-9A-F]{2})(?=[0-9A-F])/g, "$1:");
}
