import type { Clock } from "@rookery/kube";

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/**
 * Time that passes only when a test says so. `now` fits wherever a Clock is asked for; `after` and
 * `sleep` stand in for timers.
 */
export class FakeClock {
  #time: number;
  #timers: Timer[] = [];

  constructor(start = "2026-01-01T00:00:00Z") {
    this.#time = Date.parse(start);
  }

  readonly now: Clock = () => new Date(this.#time);

  /** How many timers wait. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Calls back when so many milliseconds have passed, unless the returned function is called first. */
  readonly after = (milliseconds: number, run: () => void): (() => void) => {
    const timer = { due: this.#time + Math.max(0, milliseconds), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  };

  /** Resolves when so many milliseconds have passed; rejects with the signal's reason if it aborts. */
  readonly sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        cancel();
        reject(signal?.reason);
      };
      const cancel = this.after(milliseconds, () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      });
      signal?.addEventListener("abort", abort, { once: true });
    });

  /**
   * Lets time pass. Timers run in the order in which they are due, each at its own time, and what
   * they set off settles before the next one, so a timer that is set meanwhile runs when it is due.
   */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#time + milliseconds;
    await settle();
    for (let timer = this.#take(end); timer; timer = this.#take(end)) {
      this.#time = timer.due;
      timer.run();
      await settle();
    }
    this.#time = end;
  }

  /** The timer that is due first, up to a time; of those due together, the one that was set first. */
  #take(end: number): Timer | undefined {
    const due = this.#timers.filter((timer) => timer.due <= end);
    const first = due.reduce<Timer | undefined>(
      (best, timer) => (best && best.due <= timer.due ? best : timer),
      undefined,
    );
    this.#timers = this.#timers.filter((timer) => timer !== first);
    return first;
  }
}

/** Promises that need no I/O are settled when the event loop comes round. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
