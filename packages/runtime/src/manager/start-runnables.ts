import type { Runnable } from "./runnable.ts";

/** Starts all of them at once, and stops them when it is disposed of. `onError` hears of a failed one. */
export function startRunnables(
  runnables: readonly Runnable[],
  onError: (error: unknown) => void,
): AsyncDisposable {
  const stopping = new AbortController();
  const running = runnables.map((runnable) => runnable.start(stopping.signal).catch(onError));
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
