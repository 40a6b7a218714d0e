import type { Field } from "../meta/field.ts";
import { countIndexes, firstOverlap, indexProblem } from "./job-indexes.ts";
import type { JobStatusChange } from "./status-change.ts";

/** The indexes of a job that are done, and those that have failed: none of them both. */
export function statusIndexes(change: JobStatusChange, field: Field): void {
  formats(change, field);
  uses(change, field);
  overlap(change, field.child("failedIndexes"));
}

function formats({ job, status, isChanged }: JobStatusChange, field: Field): void {
  const { completions, backoffLimitPerIndex } = job.spec ?? {};
  const { completedIndexes = "", failedIndexes } = status;
  if (completions === undefined) return;
  const parsed = (name: "completedIndexes" | "failedIndexes", text: string) => {
    const problem = indexProblem(() => countIndexes(text, completions));
    if (problem === undefined || !isChanged(name)) return;
    field.child(name).invalid(text, `error parsing ${name}: ${problem}`);
  };
  parsed("completedIndexes", completedIndexes);
  if (failedIndexes !== undefined && backoffLimitPerIndex !== undefined) {
    parsed("failedIndexes", failedIndexes);
  }
}

function uses({ job, status, isChanged }: JobStatusChange, field: Field): void {
  const { completionMode, backoffLimitPerIndex } = job.spec ?? {};
  const { completedIndexes: completed = "", failedIndexes: failed } = status;
  if (completed !== "" && completionMode !== "Indexed" && isChanged("completedIndexes")) {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    field.child("completedIndexes").invalid(completed, detail);
  }
  if (failed !== undefined && backoffLimitPerIndex === undefined && isChanged("failedIndexes")) {
    const detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    field.child("failedIndexes").invalid(failed, detail);
  }
}

function overlap({ job, status, isChanged }: JobStatusChange, field: Field): void {
  const { completedIndexes: completed = "", failedIndexes: failed = "" } = status;
  const { completions } = job.spec ?? {};
  const isAsked = isChanged("failedIndexes") || isChanged("completedIndexes");
  if (!isAsked || completions === undefined || completed === "" || failed === "") return;
  const index = firstOverlap(completed, failed, completions);
  if (index === undefined) return;
  field.invalid(failed, `failedIndexes and completedIndexes overlap at index: ${index}`);
}
