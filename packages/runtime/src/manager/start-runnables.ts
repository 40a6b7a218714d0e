import type { Runnable } from "./runnable.ts";

/** Starts all runnables at once, and stops them when it is disposed of. `onError` is called for each that fails. */
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
