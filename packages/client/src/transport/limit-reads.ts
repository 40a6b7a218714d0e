import type { Interceptor } from "@rookery/http";
import { isLongRunning } from "./long-running.ts";

/**
 * Limits concurrent reads until their responses begin; others wait in order. Each request has a
 * connection, and bursts leave memory allocated. Watches and writes pass, because a webhook may
 * delay them.
 */
export function limitReads(most: number): Interceptor {
  const turns = new Turns(most);
  return (next) => async (request) => {
    if (request.method !== "GET" || isLongRunning(request)) return next(request);
    await turns.take(request.signal);
    try {
      return await next(request);
    } finally {
      turns.give();
    }
  };
}

class Turns {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener("abort", giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener("abort", giveUp));
  }

  give(): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
