/** Sets timers; tests pass a clock that stands still. */
export interface Timers {
  setTimer(callback: () => void, milliseconds: number): { stop(): void };
}

/** Node would take a longer time for none at all. */
const longestMs = 2 ** 31 - 1;

/** Real time. Its timers do not keep the process alive. */
export const systemTimers: Timers = {
  setTimer(callback, milliseconds) {
    const timer = setTimeout(callback, Math.min(milliseconds, longestMs)).unref();
    return { stop: () => clearTimeout(timer) };
  },
};
