/** Sets timers; tests pass a clock that stands still. */
export interface Timers {
  setTimer(callback: () => void, milliseconds: number): { stop(): void };
}

/** Real time. Its timers do not keep the process alive. */
export const systemTimers: Timers = {
  setTimer(callback, milliseconds) {
    const timer = setTimeout(callback, milliseconds).unref();
    return { stop: () => clearTimeout(timer) };
  },
};
