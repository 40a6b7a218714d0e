import { done, type Result, requeueAfter } from "@rookery/runtime";
import type { Lookup } from "./contract/externals.ts";

/** The progress of a deletion, with the reason and message of the condition Deleting. */
export interface DeletionStep {
  readonly reason: string;
  readonly message: string;
  readonly result: Result;
  /** Whether nothing is left to delete. */
  readonly isOver: boolean;
  readonly error?: unknown;
}

export const deletionCompleted: DeletionStep = {
  ...waiting("DeletionCompleted", "Deletion completed"),
  isOver: true,
};

export function waiting(reason: string, message: string, result: Result = done): DeletionStep {
  return { reason, message, result, isOver: false };
}

/** A step that failed; the condition has no more than the message, and the log has the error. */
export function failing(reason: string, message: string, error: unknown): DeletionStep {
  return { ...waiting(reason, message), error };
}

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
