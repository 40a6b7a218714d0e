import type { Result } from "@rookery/runtime";

/** Of two results of one reconcile, the one that asks for it again first. */
export function sooner(left: Result, right: Result): Result {
  if (left.kind !== "requeueAfter") return left.kind === "done" ? right : left;
  if (right.kind !== "requeueAfter") return right.kind === "done" ? left : right;
  return left.seconds <= right.seconds ? left : right;
}
