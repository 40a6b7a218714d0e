import { omitValue } from "@rookery/kube";
import type { Field } from "../meta/field.ts";
import { immutableDetail } from "../meta/field-rules.ts";
import { hasCondition, type JobStatusChange } from "./status-change.ts";

/** A job does not go back: its conditions, counts and times stay. */
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

/** Indexed jobs with as many completions as parallel pods may shrink. */
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
