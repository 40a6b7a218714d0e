import type { Duplex } from "node:stream";
import type { Context } from "./context.ts";

/** Header names are lower case, as on the wire of HTTP/2; pseudo-headers are not among them. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Where a streaming body is written to.
 *
 * Guarantees: `write` never throws and takes the chunk in any case; after `false` the writer should
 * wait for `drained()` before it writes more. `drained()` resolves at once while there is room and
 * rejects with the signal's reason once the reader is gone.
 */
export interface Sink {
  write(chunk: Uint8Array): boolean;
  drained(): Promise<void>;
  /** Aborted when the reader goes away: the writer stops producing. */
  readonly signal: AbortSignal;
}

/**
 * Writes a body into a sink. It runs at most once. When it returns (or its promise resolves) the
 * body is complete; when it throws (or rejects) the message is cut off with a reset, so that a
 * reader can never take half a body for a whole one.
 */
export type BodyWriter = (sink: Sink) => void | Promise<void>;

/** Nothing, bytes, chunks that are sent one after another, or a writer. */
export type Body = undefined | Uint8Array | readonly Uint8Array[] | BodyWriter;

export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** As on the wire: percent-encoded, beginning with "/", without the query. */
  readonly path: string;
  /** As on the wire, without "?"; "" where there is none. */
  readonly query: string;
  readonly headers: HttpHeaders;
  readonly body?: Body;
  /** Aborted when the one who asked no longer waits. */
  readonly signal: AbortSignal;
  readonly context: Context;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body?: Body;
  /**
   * Present when the protocol is switched (101, or 200 to an extended CONNECT): joins the peer's
   * byte stream to this side. A server adapter calls it with the socket of its client; the client
   * adapter's joins that socket to the upstream's, so that a proxy only has to return the response.
   */
  readonly upgrade?: (peer: Duplex) => void;
}

export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** Wraps a handler. What is switched off adds no interceptor, hence no cost. */
export type Interceptor = (next: Handler) => Handler;

/**
 * Puts interceptors around a handler, the first outermost. Without interceptors the result is the
 * handler itself.
 */
export function compose(handler: Handler, ...interceptors: readonly Interceptor[]): Handler {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), handler);
}
