export interface Timers {
  setTimer(callback: () => void, milliseconds: number): { stop(): void };
}

/** setTimeout treats longer times as 1 ms. */
const longestMs = 2 ** 31 - 1;

/** Real timers, which do not keep the process alive. */
export const systemTimers: Timers = {
  setTimer(callback, milliseconds) {
    const timer = setTimeout(callback, Math.min(milliseconds, longestMs)).unref();
    return { stop: () => clearTimeout(timer) };
  },
};
