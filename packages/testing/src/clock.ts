import type { Clock } from "@rookery/kube";

interface PendingTimer {
  readonly at: number;
  readonly callback: () => void;
}

/**
 * Time that passes only when a test says so: milliseconds since its start with timers for what
 * waits, and `date` for what asks for the time of day.
 */
export class FakeClock {
  readonly #start: number;
  #now = 0;
  #timers: PendingTimer[] = [];

  constructor(start = "2026-01-01T00:00:00Z") {
    this.#start = Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  readonly date: Clock = () => new Date(this.#start + this.#now);

  /** How many timers are set. */
  get timers(): number {
    return this.#timers.length;
  }

  setTimer(callback: () => void, milliseconds: number): { stop(): void } {
    const timer = { at: this.#now + Math.max(0, milliseconds), callback };
    this.#timers.push(timer);
    return { stop: () => this.#remove(timer) };
  }

  /**
   * Lets time pass. Timers run in the order in which they are due, each at its own time, and what
   * they set off settles before the next one, so a timer that is set meanwhile runs when it is due.
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (let next = this.#next(end); next; next = this.#next(end)) {
      this.#remove(next);
      this.#now = next.at;
      next.callback();
      await settled();
    }
    this.#now = end;
  }

  #remove(timer: PendingTimer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  /** The timer that is due first, up to a time; of those due together, the one that was set first. */
  #next(end: number): PendingTimer | undefined {
    const due = this.#timers.filter(({ at }) => at <= end);
    return due.toSorted((a, b) => a.at - b.at)[0];
  }
}

/** Resolves once no promise callback is left to run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
