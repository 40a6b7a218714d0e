import { done, type Result, requeueAfter } from "@rookery/runtime";
import type { Lookup } from "./contract/externals.ts";

/** An object that is missing is looked up again after this time, in seconds. */
export const missingSeconds = 30;

/** Requeues while a part is missing: its kind may not be watched yet. */
export function requeueForMissing(...lookups: readonly Lookup[]): Result {
  const isMissing = lookups.some(({ outcome }) => outcome === "missing");
  return isMissing ? requeueAfter(missingSeconds) : done;
}

/** Of the results of one reconcile, the one that requeues first. */
export function earliest(...results: readonly Result[]): Result {
  return results.reduce(earlier, done);
}

function earlier(left: Result, right: Result): Result {
  if (left.kind !== "requeueAfter") return left.kind === "done" ? right : left;
  if (right.kind !== "requeueAfter") return right.kind === "done" ? left : right;
  return left.seconds <= right.seconds ? left : right;
}
