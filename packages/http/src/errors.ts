export type HttpErrorCode =
  | RequestErrorCode
  | "AddressInUse"
  | "ListenFailed"
  | "BodyTooLarge"
  | "BodyUsed"
  | "BodyLengthMismatch"
  | "Discarded"
  | "PeerGone"
  | "ServerStopped"
  | "InvalidResponse"
  | "InvalidOrigin"
  | "InvalidThumbprint"
  | "ERR_TLS_THUMBPRINT";

/** What every error of this package is, apart from an abort: that one is the signal's reason. */
export abstract class HttpError extends Error {
  abstract readonly code: HttpErrorCode;
}

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
 * How far a request came: the server has not seen it, it has sent no answer, or its answer broke
 * off. At "connect" it can be sent again whatever its method.
 */
export type RequestStage = "connect" | "headers" | "body";

export interface FailedRequest {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly stage: RequestStage;
}

/** A request that got no answer, or only a part of one. Never holds headers, query or body. */
export class RequestError extends HttpError implements FailedRequest {
  override readonly name = "RequestError";
  readonly code: RequestErrorCode;
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly stage: RequestStage;

  constructor(
    request: FailedRequest,
    code: RequestErrorCode,
    why: { reason: string } & ErrorOptions,
  ) {
    const target = `${request.method} ${request.origin}${request.path}`;
    const goal = request.stage === "body" ? `read the answer to ${target}` : target;
    super(`could not ${goal}: ${why.reason}`, { cause: why.cause });
    this.code = code;
    this.method = request.method;
    this.origin = request.origin;
    this.path = request.path;
    this.stage = request.stage;
  }
}

/** What a client is to speak with is not an origin. */
export class InvalidOriginError extends HttpError {
  override readonly name = "InvalidOriginError";
  readonly code = "InvalidOrigin";

  constructor(origin: string) {
    super(
      `could not create a client for ${JSON.stringify(origin)}: it takes scheme, host and port alone, such as https://10.0.0.1:6443`,
    );
  }
}

/** What a server's certificate is to be known by is not a thumbprint, or cannot be used. */
export class InvalidThumbprintError extends HttpError {
  override readonly name = "InvalidThumbprintError";
  readonly code = "InvalidThumbprint";

  constructor(thumbprint: string, why: string) {
    super(`could not use the thumbprint ${JSON.stringify(thumbprint)}: ${why}`);
  }
}

/** The server has another certificate than the one that it is known by: the cause of a RequestError. */
export class ThumbprintMismatchError extends HttpError {
  override readonly name = "ThumbprintMismatchError";
  /** Named as Node names what goes wrong with TLS. */
  readonly code = "ERR_TLS_THUMBPRINT";
  readonly wanted: string;
  readonly found: string;

  constructor(wanted: string, found: string) {
    super(`the server's certificate has the thumbprint ${colons(found)}, not ${colons(wanted)}`);
    this.wanted = wanted;
    this.found = found;
  }
}

/** A body that is longer than its reader takes. */
export class BodyTooLargeError extends HttpError {
  override readonly name = "BodyTooLargeError";
  readonly code = "BodyTooLarge";
  readonly limit: number;

  constructor(limit: number) {
    super(`could not read the body: it is longer than ${limit} bytes`);
    this.limit = limit;
  }
}

/** A body writer that was run twice. */
export class BodyUsedError extends HttpError {
  override readonly name = "BodyUsedError";
  readonly code = "BodyUsed";

  constructor() {
    super("could not read the body: it has been read before, and it can be read only once");
  }
}

/** A body that does not have the length that its content-length header declares. */
export class BodyLengthMismatchError extends HttpError {
  override readonly name = "BodyLengthMismatchError";
  readonly code = "BodyLengthMismatch";
  readonly declared: number;
  readonly written: number;

  constructor(declared: number, written: number) {
    super(
      `could not write the body: content-length is ${declared}, but the body has ${written} bytes`,
    );
    this.declared = declared;
    this.written = written;
  }
}

/** Why a body that nobody wants is cut off. */
export class DiscardedError extends HttpError {
  override readonly name = "DiscardedError";
  readonly code = "Discarded";

  constructor() {
    super("could not go on with the body: its reader does not want it");
  }
}

/** Why a server aborts what it does for a request: the client has left, or is too slow. */
export class PeerGoneError extends HttpError {
  override readonly name = "PeerGoneError";
  readonly code = "PeerGone";

  constructor(reason = "the client closed the connection or reset the stream") {
    super(`could not go on with the request: ${reason}`);
  }
}

/** Why a server aborts what it does for a request: it stops, and the time of grace is over. */
export class ServerStoppedError extends HttpError {
  override readonly name = "ServerStoppedError";
  readonly code = "ServerStopped";

  constructor() {
    super("could not go on with the request: the server is stopping");
  }
}

/** A response that cannot be sent: a status or a header that HTTP does not allow. */
export class InvalidResponseError extends HttpError {
  override readonly name = "InvalidResponseError";
  readonly code = "InvalidResponse";

  constructor(reason: string, options?: ErrorOptions) {
    super(`could not send the response: ${reason}`, options);
  }
}

/** A server that could not open its port. */
export class ListenError extends HttpError {
  override readonly name = "ListenError";
  readonly code: "AddressInUse" | "ListenFailed";
  readonly host: string;
  readonly port: number;

  constructor(address: { host: string; port: number }, cause: NodeJS.ErrnoException) {
    const { host, port } = address;
    const inUse = cause.code === "EADDRINUSE";
    const reason = inUse
      ? "something else listens there; stop it, or choose another port (0 takes any free one)"
      : cause.message;
    super(`could not listen on ${host.includes(":") ? `[${host}]` : host}:${port}: ${reason}`, {
      cause,
    });
    this.code = inUse ? "AddressInUse" : "ListenFailed";
    this.host = host;
    this.port = port;
  }
}

function colons(hex: string): string {
  return hex.replaceAll(/([0-9A-F]{2})(?=[0-9A-F])/g, "$1:");
}
