import type { MonotonicClock, Timer } from "./clock.ts";

interface PendingTimer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock for tests: it moves when it is told to, and runs what is due in order. */
export class FakeClock implements MonotonicClock {
  #now = 0;
  #timers: PendingTimer[] = [];

  now(): number {
    return this.#now;
  }

  setTimer(callback: () => void, milliseconds: number): Timer {
    const timer = { at: this.#now + Math.max(0, milliseconds), callback };
    this.#timers.push(timer);
    return {
      stop: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.length;
  }

  /** Moves on; before each timer and at the end, lets everything that is already possible happen. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = next.at;
      next.callback();
      await settled();
    }
    this.#now = end;
  }

  #next(end: number): PendingTimer | undefined {
    const due = this.#timers.filter(({ at }) => at <= end);
    return due.toSorted((a, b) => a.at - b.at)[0];
  }
}

/** Resolves once no promise callback is left to run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
