import { type MonotonicClock, systemClock } from "../clock/clock.ts";

/** Decides how long a key waits before it is tried again. */
export interface RateLimiter {
  /** The milliseconds to wait; every call counts as one more try. */
  when(key: string): number;
  /** Ends the counting for a key, whether it went well or is given up. */
  forget(key: string): void;
  /** How often a key was asked for since it was last forgotten. */
  numRequeues(key: string): number;
}

/** Doubles the delay of a key with every try, from `baseDelay` up to `maxDelay` milliseconds. */
export function createExponentialRateLimiter(baseDelay: number, maxDelay: number): RateLimiter {
  const tries = new Map<string, number>();
  return {
    when(key) {
      const before = tries.get(key) ?? 0;
      tries.set(key, before + 1);
      return Math.min(baseDelay * 2 ** before, maxDelay);
    },
    forget: (key) => void tries.delete(key),
    numRequeues: (key) => tries.get(key) ?? 0,
  };
}

/**
 * A token bucket over all keys together: `burst` tries at once, then `qps` of them a second. What
 * comes too early is given its turn, and the turns after it move back.
 */
export function createBucketRateLimiter(
  qps: number,
  burst: number,
  clock: MonotonicClock = systemClock,
): RateLimiter {
  let tokens = burst;
  let filledAt = clock.now();
  return {
    when() {
      const now = clock.now();
      tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * qps) - 1;
      filledAt = now;
      return tokens < 0 ? (-tokens / qps) * 1000 : 0;
    },
    forget() {},
    numRequeues: () => 0,
  };
}

/** Waits as long as the strictest of several limiters says; each of them counts every try. */
export function createMaxOfRateLimiter(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    when: (key) => Math.max(0, ...limiters.map((limiter) => limiter.when(key))),
    forget(key) {
      for (const limiter of limiters) limiter.forget(key);
    },
    numRequeues: (key) => Math.max(0, ...limiters.map((limiter) => limiter.numRequeues(key))),
  };
}

/** A controller's: 5 ms to 1000 s for each key, and 10 tries a second after 100 for all of them. */
export function createDefaultRateLimiter(clock: MonotonicClock = systemClock): RateLimiter {
  return createMaxOfRateLimiter(
    createExponentialRateLimiter(5, 1_000_000),
    createBucketRateLimiter(10, 100, clock),
  );
}
