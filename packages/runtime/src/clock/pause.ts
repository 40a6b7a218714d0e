import type { MonotonicClock } from "./clock.ts";
import { sleep } from "./sleep.ts";

/** Waits, but not past the moment in which the signal is aborted. Never rejects. */
export async function pause(
  milliseconds: number,
  clock: MonotonicClock,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return;
  await sleep(milliseconds, clock, signal).catch(() => {});
}
