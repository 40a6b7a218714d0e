import type { MonotonicClock } from "@rookery/runtime";

interface Corrections {
  readonly count: number;
  /** In milliseconds of the clock. */
  readonly last: number;
}

/** What happens this often is no accident any more. */
const free = 3;
const firstDelayMs = 10_000;
const longestDelayMs = 600_000;

/**
 * Where somebody else sets a field again and again, two controllers would write as fast as they can:
 * from the fourth time on, corrections of the same object come later and later.
 */
export class CorrectionBackOff {
  readonly #clock: Pick<MonotonicClock, "now">;
  readonly #corrections = new Map<string, Corrections>();

  constructor(clock: Pick<MonotonicClock, "now">) {
    this.#clock = clock;
  }

  /** Seconds until an object may be corrected again; 0 where it may be now. */
  secondsLeft(object: string): number {
    const known = this.#corrections.get(object);
    if (known === undefined) return 0;
    const passed = this.#clock.now() - known.last;
    if (passed > 2 * longestDelayMs) this.#corrections.delete(object);
    return Math.max(0, Math.ceil((delayAfter(known.count) - passed) / 1000));
  }

  corrected(object: string): void {
    const count = (this.#corrections.get(object)?.count ?? 0) + 1;
    this.#corrections.set(object, { count, last: this.#clock.now() });
  }
}

function delayAfter(count: number): number {
  return count < free ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** (count - free));
}
