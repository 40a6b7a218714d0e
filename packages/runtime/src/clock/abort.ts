import type { MonotonicClock } from "./clock.ts";

/** Resolves when a signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => onAbort(signal, resolve));
}

/** Calls back once when a signal is aborted, or at once if it is already. Disposing of it cancels that. */
export function onAbort(signal: AbortSignal, callback: () => void): Disposable {
  if (signal.aborted) callback();
  else signal.addEventListener("abort", callback, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", callback) };
}

/** Waits for work until the signal is aborted, then rejects with its reason. The work itself continues. */
export async function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  // The work may fail after the wait.
  work.catch(() => {});
  if (!signal) return work;
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  using _ = onAbort(signal, () => reject(signal.reason));
  return await Promise.race([work, promise]);
}

interface TimeLimit {
  readonly clock: MonotonicClock;
  /** No limit if undefined. */
  readonly milliseconds: number | undefined;
  /** Makes the reason of the abort at the end of the time; a TimeoutError by default. */
  readonly reason?: () => Error;
}

/** A signal that is aborted together with another one, or at the end of a time limit. */
export function limitTime(
  signal: AbortSignal,
  { clock, milliseconds, reason = () => timeoutError(milliseconds) }: TimeLimit,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const link = onAbort(signal, () => controller.abort(signal.reason));
  const timer =
    milliseconds === undefined
      ? undefined
      : clock.setTimer(() => controller.abort(reason()), milliseconds);
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      timer?.stop();
      link[Symbol.dispose]();
    },
  };
}

function timeoutError(milliseconds: number | undefined): Error {
  return new DOMException(`no answer within ${milliseconds} ms`, "TimeoutError");
}
