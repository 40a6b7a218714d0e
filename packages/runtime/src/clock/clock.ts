/** Time for what waits: milliseconds that never go back, and timers. Tests pass one that they move. */
export interface MonotonicClock {
  /** Milliseconds since some fixed moment. */
  now(): number;
  /**
   * Calls back once, about `milliseconds` later. It may be a little early, and after 24 days at the
   * latest: who waits for a moment looks at the time again.
   */
  setTimer(callback: () => void, milliseconds: number): Timer;
}

export interface Timer {
  /** Takes the call back; does nothing once it was made. */
  stop(): void;
}

// setTimeout takes a longer delay for 1 ms.
const longestDelay = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: MonotonicClock = {
  now: () => performance.now(),
  setTimer(callback, milliseconds) {
    const handle = setTimeout(callback, Math.min(Math.ceil(milliseconds), longestDelay));
    return { stop: () => clearTimeout(handle) };
  },
};
