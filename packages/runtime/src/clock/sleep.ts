import type { MonotonicClock } from "./clock.ts";

/** Waits. Rejects with the signal's reason as soon as the signal is aborted. */
export function sleep(
  milliseconds: number,
  clock: MonotonicClock,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => {
      timer.stop();
      reject(signal?.reason);
    };
    const timer = clock.setTimer(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Waits, at most until the signal is aborted. Never rejects. */
export async function pause(
  milliseconds: number,
  clock: MonotonicClock,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  await sleep(milliseconds, clock, signal).catch(() => {});
}
