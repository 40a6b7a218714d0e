import { type MonotonicClock, systemClock } from "../clock/clock.ts";

/** Decides on the delay of retries by key. */
export interface RateLimiter {
  /** The milliseconds to wait; every call counts as an attempt. */
  when(key: string): number;
  /** Resets the count of a key, after a success or when it is given up. */
  forget(key: string): void;
  /** The number of attempts of a key since the last reset. */
  numRequeues(key: string): number;
}

/** Doubles the delay of a key with every attempt, from `baseDelay` up to `maxDelay` milliseconds. */
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
 * A token bucket for all keys together: `burst` attempts at once, then `qps` per second. Further attempts are delayed one
 * after another.
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

/** The longest delay of several limiters, each of which counts every attempt. */
function createMaxOfRateLimiter(...limiters: readonly RateLimiter[]): RateLimiter {
  return {
    when: (key) => Math.max(0, ...limiters.map((limiter) => limiter.when(key))),
    forget(key) {
      for (const limiter of limiters) limiter.forget(key);
    },
    numRequeues: (key) => Math.max(0, ...limiters.map((limiter) => limiter.numRequeues(key))),
  };
}

/** The limiter of controllers: 5 ms to 1000 s for each key, and 10 attempts per second after 100 for all keys. */
export function createDefaultRateLimiter(clock: MonotonicClock = systemClock): RateLimiter {
  return createMaxOfRateLimiter(
    createExponentialRateLimiter(5, 1_000_000),
    createBucketRateLimiter(10, 100, clock),
  );
}
