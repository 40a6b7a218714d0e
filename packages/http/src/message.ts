import type { Duplex } from "node:stream";
import type { Context } from "./context.ts";

/** Names are in lower case; pseudo-headers are not included. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The destination of a streamed body.
 *
 * Guarantees: `write` never throws and always accepts the chunk; after `false` the writer should
 * wait for `drained()`, which resolves at once while there is room and rejects with the reason of
 * the signal once the reader is gone.
 */
export interface Sink {
  write(chunk: Uint8Array): boolean;
  drained(): Promise<void>;
  /** Aborted when the reader is gone. */
  readonly signal: AbortSignal;
}

/**
 * Writes a body into a sink, at most once. Returning (or resolving) completes the body; an error
 * resets the message, so that an incomplete body is never taken for a complete one.
 */
export type BodyWriter = (sink: Sink) => void | Promise<void>;

/** Nothing, bytes, chunks, or a writer. */
export type Body = undefined | Uint8Array | readonly Uint8Array[] | BodyWriter;

export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** As on the wire: percent-encoded, with a leading "/", without the query. */
  readonly path: string;
  /** As on the wire, without "?". */
  readonly query: string;
  readonly headers: HttpHeaders;
  readonly body?: Body;
  /** Aborted when the caller no longer waits. */
  readonly signal: AbortSignal;
  readonly context: Context;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body?: Body;
  /**
   * Set for a switched protocol (101, or 200 to an extended CONNECT): joins the peer's byte stream
   * to this side. A server adapter calls it with its client's socket; a client adapter joins that
   * to the upstream's, so a proxy just returns the response.
   */
  readonly upgrade?: (peer: Duplex) => void;
}

export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** Wraps a handler. */
export type Interceptor = (next: Handler) => Handler;

/** Wraps a handler in interceptors, the first outermost. */
export function compose(handler: Handler, ...interceptors: readonly Interceptor[]): Handler {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), handler);
}
