import { FieldError, fieldPath } from "@rookery/kube";
import { countIndexes, firstOverlap, indexProblem } from "./job-indexes.ts";
import type { JobStatusChange } from "./status-change.ts";

const completedPath = fieldPath("status", "completedIndexes");
const failedPath = fieldPath("status", "failedIndexes");

/** Which indexes of a job are done, and which have failed: none of them both. */
export function validateStatusIndexes(change: JobStatusChange): FieldError[] {
  return [...validateFormats(change), ...validateUses(change), ...validateOverlap(change)];
}

function validateFormats({ job, status, isChanged }: JobStatusChange): FieldError[] {
  const { completions, backoffLimitPerIndex } = job.spec ?? {};
  const { completedIndexes: completed = "", failedIndexes: failed } = status;
  if (completions === undefined) return [];
  const problems: FieldError[] = [];
  const completedProblem = indexProblem(() => countIndexes(completed, completions));
  if (completedProblem !== undefined && isChanged("completedIndexes")) {
    const detail = `error parsing completedIndexes: ${completedProblem}`;
    problems.push(FieldError.invalid(completedPath, completed, detail));
  }
  if (failed === undefined || backoffLimitPerIndex === undefined) return problems;
  const failedProblem = indexProblem(() => countIndexes(failed, completions));
  if (failedProblem !== undefined && isChanged("failedIndexes")) {
    const detail = `error parsing failedIndexes: ${failedProblem}`;
    problems.push(FieldError.invalid(failedPath, failed, detail));
  }
  return problems;
}

function validateUses({ job, status, isChanged }: JobStatusChange): FieldError[] {
  const { completionMode, backoffLimitPerIndex } = job.spec ?? {};
  const { completedIndexes: completed = "", failedIndexes: failed } = status;
  const problems: FieldError[] = [];
  if (completed !== "" && completionMode !== "Indexed" && isChanged("completedIndexes")) {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    problems.push(FieldError.invalid(completedPath, completed, detail));
  }
  const isFailedChanged = failed !== undefined && isChanged("failedIndexes");
  if (isFailedChanged && backoffLimitPerIndex === undefined) {
    const detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    problems.push(FieldError.invalid(failedPath, failed, detail));
  }
  return problems;
}

function validateOverlap({ job, status, isChanged }: JobStatusChange): FieldError[] {
  const { completedIndexes: completed = "", failedIndexes: failed = "" } = status;
  const { completions } = job.spec ?? {};
  const isAsked = isChanged("failedIndexes") || isChanged("completedIndexes");
  if (!isAsked || completions === undefined || completed === "" || failed === "") return [];
  const index = firstOverlap(completed, failed, completions);
  if (index === undefined) return [];
  const detail = `failedIndexes and completedIndexes overlap at index: ${index}`;
  return [FieldError.invalid(failedPath, failed, detail)];
}
