/** How a reconcile ended. A thrown error is the fifth way: it is retried with back-off. */
export type Result =
  | { readonly kind: "done" }
  | { readonly kind: "requeueAfter"; readonly seconds: number }
  | { readonly kind: "requeue" }
  | { readonly kind: "stop"; readonly reason: string };

/** All is as it should be, until something changes. */
export const done: Result = { kind: "done" };

/** Not there yet: look again, later and later each time. */
export const requeue: Result = { kind: "requeue" };

/**
 * Look again after that many seconds, unless something changes before. Without a delay it is as
 * `requeue`, so that a time which has passed neither gets lost nor spins. Throws a RangeError for
 * what is no time.
 */
export function requeueAfter(seconds: number): Result {
  if (Number.isNaN(seconds) || seconds === Number.POSITIVE_INFINITY) {
    throw new RangeError(`could not requeue after ${seconds} seconds: not a time`);
  }
  return seconds > 0 ? { kind: "requeueAfter", seconds } : requeue;
}

/** It cannot become as it should be, and trying again does not help, until something changes. */
export function stop(reason: string): Result {
  return { kind: "stop", reason };
}
