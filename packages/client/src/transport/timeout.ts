import {
  type BodyWriter,
  contextKey,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
} from "@rookery/http";
import { RequestTimeoutError } from "../errors.ts";
import type { Timekeeper } from "../timekeeper.ts";
import { isLongRunning } from "./long-running.ts";

/** The time that this one request gets, in milliseconds; 0 is without end. */
export const requestTimeoutKey = contextKey<number>("request timeout");

export interface TimeoutOptions {
  readonly milliseconds: number;
  readonly timekeeper: Timekeeper;
}

/** Gives up a request whose answer, body included, is not there in time. Never a long-running one. */
export function requestTimeout({ milliseconds, timekeeper }: TimeoutOptions): Interceptor {
  return (next) => (request) => {
    const limit = request.context.get(requestTimeoutKey) ?? milliseconds;
    if (limit === 0 || isLongRunning(request)) return next(request);
    return new Deadline(request, { milliseconds: limit, timekeeper }).run(next);
  };
}

class Deadline {
  readonly #over = new AbortController();
  readonly #request: HttpRequest;
  readonly #callOff: () => void;

  constructor(request: HttpRequest, { milliseconds, timekeeper }: TimeoutOptions) {
    this.#request = request;
    const giveUp = () => this.#over.abort(new RequestTimeoutError(request, milliseconds));
    // Somebody may never read the body: the process has to be able to end all the same.
    this.#callOff = timekeeper.after(milliseconds, giveUp, { weak: true });
    request.signal.addEventListener("abort", this.#onAbort);
    if (request.signal.aborted) this.#onAbort();
  }

  async run(next: Handler): Promise<HttpResponse> {
    try {
      const response = await next({ ...this.#request, signal: this.#over.signal });
      const { body } = response;
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
