import type { MonotonicClock } from "@rookery/runtime";

/** Resolves when the time has passed or the signal is aborted. */
export function waitUntil(
  milliseconds: number,
  clock: MonotonicClock,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      timer.stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = clock.setTimer(done, milliseconds);
    signal.addEventListener("abort", done, { once: true });
  });
}
