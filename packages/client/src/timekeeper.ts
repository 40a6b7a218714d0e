/** The passing of time, in milliseconds, so that tests can let it pass at once. */
export interface Timekeeper {
  now(): number;
  /**
   * Calls back once; returns what calls it off. With `weak` it does not keep the process running:
   * what it would put an end to does that, as long as it lasts.
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

/** Resolves when the time has passed; rejects with the signal's reason as soon as that aborts. */
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
