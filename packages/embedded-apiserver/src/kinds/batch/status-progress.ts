import { FieldError, fieldPath, omitValue } from "@rookery/kube";
import { immutableDetail } from "../meta/field-rules.ts";
import { hasCondition, type JobStatusChange } from "./status-change.ts";

const path = fieldPath("status");

/** What has happened to a job cannot be undone. */
export function validateStatusProgress(change: JobStatusChange): FieldError[] {
  return [
    ...validateTerminalConditions(change),
    ...validateCounters(change),
    ...validateTimes(change),
    ...validateCriteria(change),
  ];
}

function refused(detail: string): FieldError {
  return FieldError.invalid(path.child("conditions"), omitValue, detail);
}

function validateTerminalConditions({ has, had }: JobStatusChange): FieldError[] {
  return ["Failed", "Complete", "FailureTarget"]
    .filter((type) => had(type) && !has(type))
    .map((type) => refused(`cannot disable the terminal ${type}=True condition`));
}

/** Indexed jobs with as many completions as parallel pods may shrink. */
function validateCounters({ job, status, oldStatus }: JobStatusChange): FieldError[] {
  const { completionMode, completions, parallelism } = job.spec ?? {};
  const { failed = 0, succeeded = 0 } = status;
  const isElastic = completionMode === "Indexed" && completions === parallelism;
  const problems: FieldError[] = [];
  if (failed < (oldStatus.failed ?? 0)) {
    const detail = "cannot decrease the failed counter";
    problems.push(FieldError.invalid(path.child("failed"), failed, detail));
  }
  if (succeeded < (oldStatus.succeeded ?? 0) && !isElastic) {
    const detail = "cannot decrease the succeeded counter";
    problems.push(FieldError.invalid(path.child("succeeded"), succeeded, detail));
  }
  return problems;
}

function validateTimes(change: JobStatusChange): FieldError[] {
  const { job, status, oldStatus, isChanged } = change;
  const { completionTime } = status;
  const hasResumed = change.had("Suspended") && hasCondition(status, "Suspended", "False");
  const isSuspended = job.spec?.suspend === true;
  const problems: FieldError[] = [];
  if (completionTime && oldStatus.completionTime && isChanged("completionTime")) {
    problems.push(
      FieldError.invalid(path.child("completionTime"), completionTime, immutableDetail),
    );
  }
  if (oldStatus.startTime && isChanged("startTime") && !hasResumed && !isSuspended) {
    const detail = "startTime cannot be removed for unsuspended job";
    problems.push(FieldError.required(path.child("startTime"), detail));
  }
  return problems;
}

function validateCriteria({ has, had }: JobStatusChange): FieldError[] {
  const type = "SuccessCriteriaMet";
  const late = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
  return [
    ...(had(type) && !has(type)
      ? [refused("cannot disable the SuccessCriteriaMet=True condition")]
      : []),
    ...(had("Complete") && !had(type) && has(type) ? [refused(late)] : []),
  ];
}
