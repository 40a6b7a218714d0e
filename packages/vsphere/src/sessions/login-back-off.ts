import type { MonotonicClock } from "@rookery/runtime";

const shortestMs = 30_000;
const longestMs = 30 * 60_000;
const mostRefusals = 10_000;

/** Delays logins with credentials that were refused. */
export class LoginBackOff {
  readonly #clock: MonotonicClock;
  readonly #refusals = new Map<string, { readonly count: number; readonly until: number }>();

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  /** The remaining delay in milliseconds; 0 if a login may be tried. */
  remaining(key: string): number {
    const until = this.#refusals.get(key)?.until ?? 0;
    return Math.max(0, until - this.#clock.now());
  }

  /** Records a refusal; returns the new delay. */
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

  /** Entries of replaced passwords would stay forever. */
  #prune(): void {
    if (this.#refusals.size < mostRefusals) return;
    const [oldest] = this.#refusals.keys();
    if (oldest !== undefined) this.#refusals.delete(oldest);
  }
}
