import {
  BodyTooLargeError,
  type BodyWriter,
  bodyLength,
  type HttpRequest,
  headerValue,
  type Interceptor,
  type Sink,
  singleUse,
} from "@rookery/http";
import { infoOf } from "./long-running.ts";

/**
 * Rejects request bodies of more than `limit` bytes, at once for a declared length. Requests to
 * pods and Services ("proxy") are exempt.
 */
export function limitRequestBody(limit: number): Interceptor {
  return (next) => (request) => {
    const { body } = request;
    if (body === undefined || isProxied(request)) return next(request);
    const declared = Number(headerValue(request.headers, "content-length"));
    if (declared > limit || (bodyLength(body) ?? 0) > limit) throw new BodyTooLargeError(limit);
    if (typeof body !== "function" || declared >= 0) return next(request);
    return next({ ...request, body: limited(body, limit) });
  };
}

function isProxied(request: HttpRequest): boolean {
  const { group, subresource } = infoOf(request) ?? {};
  return group === "" && subresource === "proxy";
}

function limited(body: BodyWriter, limit: number): BodyWriter {
  return singleUse(async (sink) => {
    const counting = new CountingSink(sink, limit);
    await body(counting);
    if (counting.tooLarge) throw counting.tooLarge;
  });
}

class CountingSink implements Sink {
  readonly signal: AbortSignal;
  readonly #sink: Sink;
  readonly #limit: number;
  #length = 0;
  tooLarge: BodyTooLargeError | undefined;

  constructor(sink: Sink, limit: number) {
    this.#sink = sink;
    this.#limit = limit;
    this.signal = sink.signal;
  }

  write(chunk: Uint8Array): boolean {
    this.#length += chunk.byteLength;
    if (this.#length <= this.#limit) return this.#sink.write(chunk);
    this.tooLarge ??= new BodyTooLargeError(this.#limit);
    return false;
  }

  drained(): Promise<void> {
    return this.tooLarge ? Promise.reject(this.tooLarge) : this.#sink.drained();
  }
}
