import type { Interceptor } from "@rookery/http";
import { delay, type Timekeeper } from "../timekeeper.ts";
import { isLongRunning } from "./long-running.ts";

export interface RateLimit {
  /** Requests per second on average. */
  readonly qps: number;
  /** Requests at once after a pause. */
  readonly burst: number;
}

/** Delays requests in order, as client-go's rate limiter; watches pass. */
export function limitRate({ qps, burst }: RateLimit, timekeeper: Timekeeper): Interceptor {
  const bucket = new TokenBucket({ qps, burst }, timekeeper);
  return (next) => async (request) => {
    if (isLongRunning(request)) return next(request);
    const wait = bucket.take();
    if (wait > 0) await bucket.waitOrGiveBack(wait, request.signal);
    return next(request);
  };
}

class TokenBucket {
  readonly #limit: RateLimit;
  readonly #timekeeper: Timekeeper;
  #tokens: number;
  #at: number;

  constructor(limit: RateLimit, timekeeper: Timekeeper) {
    this.#limit = limit;
    this.#timekeeper = timekeeper;
    this.#tokens = limit.burst;
    this.#at = timekeeper.now();
  }

  /** Takes a token, on credit if necessary; returns the delay. */
  take(): number {
    const now = this.#timekeeper.now();
    const grown = ((now - this.#at) / 1000) * this.#limit.qps;
    this.#tokens = Math.min(this.#limit.burst, this.#tokens + grown) - 1;
    this.#at = now;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#limit.qps) * 1000;
  }

  async waitOrGiveBack(milliseconds: number, signal: AbortSignal): Promise<void> {
    try {
      await delay(this.#timekeeper, milliseconds, signal);
    } catch (reason) {
      this.#tokens += 1;
      throw reason;
    }
  }
}
