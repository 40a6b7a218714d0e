/** A clock that never goes back, with timers. Tests use a fake one. */
export interface MonotonicClock {
  /** Milliseconds since a fixed moment. */
  now(): number;
  /**
   * Calls back once, after about `milliseconds`. The call may come a little early, and after 24 days at the latest:
   * callers that need an exact time check `now`.
   */
  setTimer(callback: () => void, milliseconds: number): Timer;
}

export interface Timer {
  /** Cancels the call, if it was not made yet. */
  stop(): void;
}

// setTimeout treats a longer delay as 1 ms.
const longestDelay = 2 ** 31 - 1;

/** The clock of the machine. */
export const systemClock: MonotonicClock = {
  now: () => performance.now(),
  setTimer(callback, milliseconds) {
    const handle = setTimeout(callback, Math.min(Math.ceil(milliseconds), longestDelay));
    return { stop: () => clearTimeout(handle) };
  },
};
