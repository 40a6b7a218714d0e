import type { MonotonicClock } from "./clock.ts";

/** A signal that is aborted with the one given, or after so many milliseconds. */
export function limitTime(
  milliseconds: number,
  clock: MonotonicClock,
  signal: AbortSignal,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  const timer = clock.setTimer(() => {
    controller.abort(new DOMException(`no answer within ${milliseconds} ms`, "TimeoutError"));
  }, milliseconds);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      timer.stop();
      signal.removeEventListener("abort", abort);
    },
  };
}
