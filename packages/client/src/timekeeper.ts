/** A clock in milliseconds; tests have their own. */
export interface Timekeeper {
  now(): number;
  /**
   * Calls back once; returns a function that cancels. A `weak` timer does not keep the process
   * running.
   */
  after(
    milliseconds: number,
    callback: () => void,
    options?: { readonly weak?: boolean },
  ): () => void;
}

export const systemTime: Timekeeper = {
  now: () => Date.now(),
  after(milliseconds, callback, { weak = false } = {}) {
    const timer = setTimeout(callback, milliseconds);
    if (weak) timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Rejects with the reason of the signal. */
export function delay(
  timekeeper: Timekeeper,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const callOff = timekeeper.after(milliseconds, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    const onAbort = () => {
      callOff();
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
