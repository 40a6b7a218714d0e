import type { Job, JobStatus } from "@rookery/api";
import { omitValue } from "@rookery/kube";
import type { Field } from "../meta/field.ts";
import { immutableDetail, isSameValue } from "../meta/field-rules.ts";
import { countIndexes, firstOverlap } from "./job-indexes.ts";

/** Terminal conditions, counts and times of a job do not revert. */
export function statusProgress(change: JobStatusChange, field: Field): void {
  const { has, had } = change;
  const conditions = field.child("conditions");
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (!had(type) || has(type)) continue;
    conditions.invalid(omitValue, `cannot disable the terminal ${type}=True condition`);
  }
  counters(change, field);
  times(change, field);
  const type = "SuccessCriteriaMet";
  if (had(type) && !has(type)) {
    conditions.invalid(omitValue, "cannot disable the SuccessCriteriaMet=True condition");
  }
  if (had("Complete") && !had(type) && has(type)) {
    conditions.invalid(
      omitValue,
      "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
    );
  }
}

/** The counts of an indexed job can decrease if completions equal parallelism. */
function counters({ job, status, oldStatus }: JobStatusChange, field: Field): void {
  const { completionMode, completions, parallelism } = job.spec ?? {};
  const { failed = 0, succeeded = 0 } = status;
  const isElastic = completionMode === "Indexed" && completions === parallelism;
  if (failed < (oldStatus.failed ?? 0)) {
    field.child("failed").invalid(failed, "cannot decrease the failed counter");
  }
  if (succeeded < (oldStatus.succeeded ?? 0) && !isElastic) {
    field.child("succeeded").invalid(succeeded, "cannot decrease the succeeded counter");
  }
}

function times(change: JobStatusChange, field: Field): void {
  const { job, status, oldStatus, isChanged } = change;
  const { completionTime } = status;
  const hasResumed = change.had("Suspended") && hasCondition(status, "Suspended", "False");
  const isSuspended = job.spec?.suspend === true;
  if (completionTime && oldStatus.completionTime && isChanged("completionTime")) {
    field.child("completionTime").invalid(completionTime, immutableDetail);
  }
  if (oldStatus.startTime && isChanged("startTime") && !hasResumed && !isSuspended) {
    field.child("startTime").required("startTime cannot be removed for unsuspended job");
  }
}

/** A change of the status of a job. */
export interface JobStatusChange {
  readonly job: Job;
  readonly old: Job;
  readonly status: JobStatus;
  readonly oldStatus: JobStatus;
  /** Whether the condition is True. */
  has(type: string): boolean;
  had(type: string): boolean;
  /** Whether the condition has become True, or is no longer True. */
  isNew(type: string): boolean;
  isChanged(field: keyof JobStatus): boolean;
  readonly isFinished: boolean;
  /** Whether the change finishes the job, or makes it unfinished. */
  readonly hasJustFinished: boolean;
}

export function statusChangeOf(job: Job, old: Job): JobStatusChange {
  const { status = {} } = job;
  const { status: oldStatus = {} } = old;
  const has = (type: string) => hasCondition(status, type);
  const had = (type: string) => hasCondition(oldStatus, type);
  const isFinished = has("Complete") || has("Failed");
  return {
    job,
    old,
    status,
    oldStatus,
    has,
    had,
    isNew: (type) => has(type) !== had(type),
    isChanged: (field) => !isSameValue(status[field] || undefined, oldStatus[field] || undefined),
    isFinished,
    hasJustFinished: isFinished !== (had("Complete") || had("Failed")),
  };
}

function hasCondition(
  { conditions = [] }: JobStatus,
  type: string,
  value: "True" | "False" = "True",
): boolean {
  return conditions.some((condition) => condition.type === type && condition.status === value);
}

/** No index of a job is both completed and failed. */
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
    const counted = countIndexes(text, completions);
    if (typeof counted === "number" || !isChanged(name)) return;
    field.child(name).invalid(text, `error parsing ${name}: ${counted}`);
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
