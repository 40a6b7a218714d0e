import type { Timekeeper } from "@rookery/client";

/** Time that stands still until a test lets it pass. */
export class FakeTime implements Timekeeper {
  #now = Date.UTC(2030, 0, 1);
  readonly #timers = new Set<{ at: number; callback: () => void }>();
  /** Every wait that was ever begun, in milliseconds. */
  readonly waits: number[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback };
    this.waits.push(milliseconds);
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get pending(): number {
    return this.#timers.size;
  }

  /** Lets time pass, calls back what is due, and lets everything run that follows from it. */
  async pass(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    for (const timer of [...this.#timers].sort((a, b) => a.at - b.at)) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.callback();
    }
    await settled();
  }
}

/** Time that passes as soon as anybody waits for it. */
export class HastyTime extends FakeTime {
  override after(milliseconds: number, callback: () => void): () => void {
    const callOff = super.after(milliseconds, callback);
    setImmediate(() => void this.pass(milliseconds));
    return callOff;
  }
}

/** Resolves when everything that is due without further time or I/O has run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
