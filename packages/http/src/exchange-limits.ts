import { contextKey } from "./context.ts";
import { answerWithin } from "./deadline.ts";
import { RequestError, type RequestErrorCode } from "./errors.ts";
import { headerValue } from "./headers.ts";
import type {
  BodyWriter,
  Handler,
  HttpRequest,
  HttpResponse,
  Interceptor,
  Sink,
} from "./message.ts";
import { RelaySink, untilAborted } from "./relay-sink.ts";

interface BodyLimits {
  readonly bytes: number;
  /** Milliseconds without data while the reader has room. */
  readonly idleMs: number;
  readonly tooLarge: () => Error;
  readonly tooIdle: () => Error;
}

/** Aborts a body that is too long, or silent for too long. */
function limitBody(body: BodyWriter, limits: BodyLimits): BodyWriter {
  return async (sink) => {
    const limited = new LimitedSink(sink, limits);
    try {
      await untilAborted(limited.signal, () => body(limited));
    } finally {
      limited.release();
    }
  };
}

class LimitedSink extends RelaySink {
  readonly #limits: BodyLimits;
  readonly #timer: NodeJS.Timeout | undefined;
  #length = 0;
  #isPaused = false;

  constructor(inner: Sink, limits: BodyLimits) {
    super(inner);
    this.#limits = limits;
    if (limits.idleMs === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#onIdle(), limits.idleMs).unref();
  }

  write(chunk: Uint8Array): boolean {
    if (this.signal.aborted) return false;
    this.#length += chunk.byteLength;
    if (this.#length > this.#limits.bytes) {
      this.abort(this.#limits.tooLarge());
      return false;
    }
    this.#timer?.refresh();
    this.#isPaused = !this.inner.write(chunk);
    return !this.#isPaused;
  }

  override async drained(): Promise<void> {
    await super.drained();
    this.#isPaused = false;
    this.#timer?.refresh();
  }

  override release(): void {
    clearTimeout(this.#timer);
    super.release();
  }

  /** A reader without room is not a silent server. */
  #onIdle(): void {
    if (this.#isPaused) this.#timer?.refresh();
    else this.abort(this.#limits.tooIdle());
  }
}

/** The limits of one exchange with a server. */
export interface ExchangeLimits {
  /** Milliseconds from the request to the last byte of the response. */
  readonly deadlineMs: number;
  /** Milliseconds until the response begins, and between chunks of its body. */
  readonly idleMs: number;
  /** Bytes of the response body. */
  readonly answerBytes: number;
}

const none = Number.POSITIVE_INFINITY;

export const defaultLimits: ExchangeLimits = {
  deadlineMs: 60_000,
  idleMs: none,
  answerBytes: 8 * 1024 * 1024,
};

/** For a proxy, whose client has its own limits. */
export const noLimits: ExchangeLimits = { deadlineMs: none, idleMs: none, answerBytes: none };

/** For endless responses such as a watch. */
export function streamLimits(idleMs: number): ExchangeLimits {
  return { ...noLimits, idleMs };
}

/** The limits of one request, in place of its client's. */
export const exchangeLimitsKey = contextKey<Partial<ExchangeLimits>>("exchange limits");

/** Aborts exchanges beyond their limits with a RequestError. */
export function limitExchanges(defaults: ExchangeLimits, origin: string): Interceptor {
  return (next) => (request) => {
    const own = request.context.get(exchangeLimitsKey);
    return new LimitedExchange(request, own ? { ...defaults, ...own } : defaults, origin).run(next);
  };
}

class LimitedExchange {
  readonly #request: HttpRequest;
  readonly #limits: ExchangeLimits;
  readonly #origin: string;

  constructor(request: HttpRequest, limits: ExchangeLimits, origin: string) {
    this.#request = request;
    this.#limits = limits;
    this.#origin = origin;
  }

  run(next: Handler): HttpResponse | Promise<HttpResponse> {
    const { deadlineMs, idleMs } = this.#limits;
    const milliseconds = Math.min(deadlineMs, idleMs);
    const bounded: Handler = async (request) => this.#bounded(await next(request));
    if (milliseconds === none) return bounded(this.#request);
    const isForBeginning = deadlineMs === none;
    const what = isForBeginning ? "no answer" : "no whole answer";
    const reason = () => this.#failure("DeadlineExceeded", `${what} within ${milliseconds} ms`);
    return answerWithin(bounded, this.#request, { milliseconds, reason, isForBeginning });
  }

  #bounded(response: HttpResponse): HttpResponse {
    const { idleMs, answerBytes: bytes } = this.#limits;
    const { body } = response;
    if (typeof body !== "function" || (idleMs === none && bytes === none)) return response;
    const tooLarge = () => this.#failure("AnswerTooLarge", `it is longer than ${bytes} bytes`);
    const tooIdle = () => this.#failure("TimedOut", `no further data within ${idleMs} ms`);
    const declared = Number(headerValue(response.headers, "content-length") ?? 0);
    const limited = limitBody(body, {
      bytes: declared > bytes ? 0 : bytes,
      idleMs,
      tooLarge,
      tooIdle,
    });
    return { ...response, body: limited };
  }

  #failure(code: RequestErrorCode, reason: string): RequestError {
    const { method, path } = this.#request;
    const stage = code === "DeadlineExceeded" ? "headers" : "body";
    return new RequestError({ method, path, origin: this.#origin, stage }, code, { reason });
  }
}
