import type { MonotonicClock } from "../clock/clock.ts";

const shortest = 800;
const longest = 30_000;
/** Who has not failed for this long is healthy again. */
const resetAfter = 120_000;

/**
 * How long to wait after a failure, in client-go's figures: 0.8 s, doubled each time up to 30 s, and
 * up to as much again at random so that clients come apart; from the beginning after two minutes
 * without a failure.
 */
export class Backoff {
  readonly #clock: MonotonicClock;
  readonly #random: () => number;
  #next = shortest;
  #last = Number.NEGATIVE_INFINITY;

  /** `random` gives numbers from 0 up to 1. */
  constructor(clock: MonotonicClock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** The milliseconds to wait after the failure that just happened. */
  after(): number {
    const now = this.#clock.now();
    if (now - this.#last > resetAfter) this.#next = shortest;
    const delay = this.#next * (1 + this.#random());
    this.#next = Math.min(this.#next * 2, longest);
    this.#last = now + delay;
    return delay;
  }
}
