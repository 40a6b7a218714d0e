import type { BodyWriter, Handler, HttpRequest, HttpResponse } from "./message.ts";

export interface DeadlineOptions {
  readonly milliseconds: number;
  /** The error of the exchange. */
  readonly reason: () => Error;
  /** Whether only the beginning of the response is limited. */
  readonly isForBeginning?: boolean;
  /** Calls back once, without keeping the process running; returns a function that cancels. */
  readonly after?: (milliseconds: number, callback: () => void) => () => void;
}

/** Aborts an exchange whose response, including the body, takes too long. */
export function answerWithin(
  next: Handler,
  request: HttpRequest,
  options: DeadlineOptions,
): Promise<HttpResponse> {
  return new Deadline(request, options).run(next);
}

class Deadline {
  readonly #over = new AbortController();
  readonly #request: HttpRequest;
  readonly #isForBeginning: boolean;
  readonly #callOff: () => void;

  constructor(request: HttpRequest, options: DeadlineOptions) {
    const { milliseconds, reason, isForBeginning = false, after = afterWeakly } = options;
    this.#request = request;
    this.#isForBeginning = isForBeginning;
    // An unread body must not keep the process running.
    this.#callOff = after(milliseconds, () => this.#over.abort(reason()));
    request.signal.addEventListener("abort", this.#onAbort);
    if (request.signal.aborted) this.#onAbort();
  }

  async run(next: Handler): Promise<HttpResponse> {
    try {
      const response = await next({ ...this.#request, signal: this.#over.signal });
      const { body, upgrade } = response;
      if (this.#isForBeginning || upgrade) this.#callOff();
      // A switched protocol has no time limit, but ends with the request.
      if (upgrade) return response;
      if (typeof body === "function") return { ...response, body: this.#watched(body) };
      this.#release();
      return response;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #watched(body: BodyWriter): BodyWriter {
    return async (sink) => {
      try {
        await body(sink);
      } finally {
        this.#release();
      }
    };
  }

  readonly #onAbort = (): void => {
    this.#over.abort(this.#request.signal.reason);
  };

  #release(): void {
    this.#callOff();
    this.#request.signal.removeEventListener("abort", this.#onAbort);
  }
}

function afterWeakly(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds).unref();
  return () => clearTimeout(timer);
}
