/** The result of a reconcile. A thrown error is the fifth outcome: it is retried with back-off. */
export type Result =
  | { readonly kind: "done" }
  | { readonly kind: "requeueAfter"; readonly seconds: number }
  | { readonly kind: "requeue" }
  | { readonly kind: "stop"; readonly reason: string };

/** The object is in its desired state, until something changes. */
export const done: Result = { kind: "done" };

/** The object is not in its desired state yet: reconcile it again, with back-off. */
export const requeue: Result = { kind: "requeue" };

/**
 * Reconciles the object again after a delay, or earlier if something changes. A delay of zero or less is the same as
 * `requeue`, so that a time in the past neither gets lost nor causes a loop. Throws a RangeError for NaN and Infinity.
 */
export function requeueAfter(seconds: number): Result {
  if (Number.isNaN(seconds) || seconds === Number.POSITIVE_INFINITY) {
    throw new RangeError(`could not requeue after ${seconds} seconds: not a time`);
  }
  return seconds > 0 ? { kind: "requeueAfter", seconds } : requeue;
}

/** The object cannot reach its desired state, and a retry does not help, until something changes. */
export function stop(reason: string): Result {
  return { kind: "stop", reason };
}
