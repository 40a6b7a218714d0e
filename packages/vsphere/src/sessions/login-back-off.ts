import type { MonotonicClock } from "@rookery/runtime";

const shortestMs = 30_000;
const longestMs = 30 * 60_000;
const mostRefusals = 10_000;

/** Remembers which credentials were refused, and when they may be tried again. */
export class LoginBackOff {
  readonly #clock: MonotonicClock;
  readonly #refusals = new Map<string, { readonly count: number; readonly until: number }>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** For how long not to try, in milliseconds; 0 where it may be tried. */
  remaining(key: string): number {
    const until = this.#refusals.get(key)?.until ?? 0;
    return Math.max(0, until - this.#clock.now());
  }

  /** Returns for how long not to try now. */
  refused(key: string): number {
    this.#prune();
    const count = this.#refusals.get(key)?.count ?? 0;
    const wait = Math.min(longestMs, shortestMs * 2 ** count);
    this.#refusals.set(key, { count: count + 1, until: this.#clock.now() + wait });
    return wait;
  }

  forget(key: string): void {
    this.#refusals.delete(key);
  }

  /** Passwords that were replaced long ago would stay for ever. */
  #prune(): void {
    if (this.#refusals.size < mostRefusals) return;
    const [oldest] = this.#refusals.keys();
    if (oldest !== undefined) this.#refusals.delete(oldest);
  }
}
