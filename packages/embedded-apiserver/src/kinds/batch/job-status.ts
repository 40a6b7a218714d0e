import type { Job } from "@rookery/api";
import { omitValue } from "@rookery/kube";
import { nonNegative } from "../meta/checks.ts";
import type { Field } from "../meta/field.ts";
import { goStruct } from "../meta/internal-form.ts";
import { type Rule, validator } from "../meta/rules.ts";
import {
  type JobStatusChange,
  statusChangeOf,
  statusIndexes,
  statusProgress,
} from "./status-progress.ts";

/** Go: ValidateJobUpdateStatus. Most rules only apply to changed fields, to allow corrections. */
const jobStatus: Rule<Job> = (job, field) => {
  const change = statusChangeOf(job, field.old as Job);
  const at = field.child("status");
  for (const name of ["active", "succeeded", "failed", "ready", "terminating"] as const) {
    nonNegative(change.status[name], at.child(name));
  }
  uncountedPods(change, at.child("uncountedTerminatedPods"));
  completion(change, at);
  finished(change, at);
  statusIndexes(change, at);
  livePods(change, at);
  successCriteria(change, at.child("conditions"));
  statusProgress(change, at);
};

export const validateJobStatus = validator(jobStatus);

/** The uids of terminated pods that are not in the counts yet: each occurs once. */
function uncountedPods({ status }: JobStatusChange, field: Field): void {
  const seen = new Set<string>();
  for (const list of ["succeeded", "failed"] as const) {
    status.uncountedTerminatedPods?.[list]?.forEach((uid, i) => {
      const at = field.child(list).index(i);
      if (uid === "") at.invalid(uid, "must not be empty");
      else if (seen.has(uid)) at.duplicate(uid);
      seen.add(uid);
    });
  }
}

/** Reports pairs of conditions that contradict each other. */
function conditionPairs({ has }: JobStatusChange, conditions: Field) {
  return {
    exclusive(a: string, b: string): void {
      if (!has(a) || !has(b)) return;
      conditions.invalid(omitValue, `cannot set ${a}=True and ${b}=true conditions`);
    },
    requires(type: string, other: string): void {
      if (!has(type) || has(other)) return;
      const detail = `cannot set ${type}=True condition without the ${other}=true condition`;
      conditions.invalid(omitValue, detail);
    },
  };
}

/** A job is either complete or failed, and each has to follow a preliminary condition. */
function completion(change: JobStatusChange, field: Field): void {
  const { status, has, isNew, isChanged } = change;
  const { completionTime, startTime } = status;
  const { exclusive, requires } = conditionPairs(change, field.child("conditions"));
  const time = field.child("completionTime");
  const isTimed = isNew("Complete") || isChanged("completionTime");
  if (isNew("Complete") || isNew("Failed")) exclusive("Complete", "Failed");
  if (isNew("Complete") || isNew("FailureTarget")) exclusive("Complete", "FailureTarget");
  if (isTimed && completionTime && !has("Complete")) {
    const detail = "cannot set completionTime when there is no Complete=True condition";
    time.invalid(completionTime, detail);
  }
  if (isTimed && !completionTime && has("Complete")) {
    time.required("completionTime is required for Complete jobs");
  }
  const isEarly = startTime && completionTime && completionTime < startTime;
  if (isEarly && (isChanged("startTime") || isChanged("completionTime"))) {
    time.invalid(completionTime, "must be equal to or after `startTime`");
  }
  if (isNew("Failed") || isChanged("failedIndexes")) requires("Failed", "FailureTarget");
  if (isNew("Complete") || isNew("SuccessCriteriaMet")) requires("Complete", "SuccessCriteriaMet");
}

/** A finished job has no active and no uncounted pods. */
function finished(change: JobStatusChange, field: Field): void {
  const { job, status, isChanged, isFinished, hasJustFinished } = change;
  if (!isFinished) return;
  const { active = 0, startTime, uncountedTerminatedPods: pods } = status;
  const uncounted = [...(pods?.failed ?? []), ...(pods?.succeeded ?? [])].length;
  const neverBegan = job.spec?.suspend === true && job.spec.completions === 0;
  if (active > 0 && (hasJustFinished || isChanged("active"))) {
    field.child("active").invalid(active, "active>0 is invalid for finished job");
  }
  if (!startTime && (hasJustFinished || isChanged("startTime")) && !neverBegan) {
    field.child("startTime").required("startTime is required for finished job");
  }
  if (pods && uncounted > 0 && (hasJustFinished || isChanged("uncountedTerminatedPods"))) {
    const shown = goStruct("UncountedTerminatedPods", pods);
    field.child("uncountedTerminatedPods").invalid(shown, "must be empty for finished job");
  }
}

function livePods(change: JobStatusChange, field: Field): void {
  const { status, isChanged, isFinished, hasJustFinished } = change;
  const { terminating = 0, ready, active = 0 } = status;
  if (terminating > 0 && isFinished && (hasJustFinished || isChanged("terminating"))) {
    field.child("terminating").invalid(terminating, "terminating>0 is invalid for finished job");
  }
  if (ready !== undefined && ready > active && (isChanged("ready") || isChanged("active"))) {
    field.child("ready").invalid(ready, "cannot set more ready pods than active");
  }
}

function successCriteria(change: JobStatusChange, conditions: Field): void {
  const { job, has } = change;
  const { exclusive } = conditionPairs(change, conditions);
  exclusive("SuccessCriteriaMet", "Failed");
  exclusive("SuccessCriteriaMet", "FailureTarget");
  if (job.spec?.successPolicy && !has("SuccessCriteriaMet") && has("Complete")) {
    const detail =
      "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
    conditions.invalid(omitValue, detail);
  }
}
