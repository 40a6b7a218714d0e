import { setTimeout as delay } from "node:timers/promises";

/** After most of what starting takes, and once more for what takes longer, such as a first certificate. */
const momentsMs = [10_000, 50_000];

/** Gives memory back that nobody uses, where Node was told to let programs do so (--expose-gc). */
export async function collectGarbage(): Promise<void> {
  await globalThis.gc?.({ type: "major", flavor: "last-resort", execution: "async" });
}

/**
 * Lets go of what starting took: code that ran once, objects that were read to fill a cache. V8 would
 * keep it until it needs the room, which a program that is idle never does.
 */
export async function collectStartGarbage(signal: AbortSignal): Promise<void> {
  for (const ms of momentsMs) {
    await delay(ms, undefined, { signal, ref: false }).catch(() => {});
    if (signal.aborted) return;
    await collectGarbage();
  }
}
