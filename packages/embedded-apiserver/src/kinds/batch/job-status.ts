import type { Job } from "@rookery/api";
import { FieldError, type FieldPath, fieldPath, omitValue } from "@rookery/kube";
import { validateNonnegative } from "../meta/field-rules.ts";
import { shownTerminatedPods } from "./shown-policies.ts";
import { type JobStatusChange, statusChangeOf } from "./status-change.ts";
import { validateStatusIndexes } from "./status-indexes.ts";
import { validateStatusProgress } from "./status-progress.ts";

const path = fieldPath("status");
const conditionsPath = path.child("conditions");

/**
 * What a job's status may say. Rules of a field are asked where it changes, so that a status that
 * has been wrong before can still be mended.
 */
export function validateJobStatus(job: Job, old: Job): FieldError[] {
  const change = statusChangeOf(job, old);
  return [
    ...validateCounts(change),
    ...validateUncounted(change),
    ...validateCompletion(change),
    ...validateFinished(change),
    ...validateStatusIndexes(change),
    ...validateLivePods(change),
    ...validateSuccessCriteria(change),
    ...validateStatusProgress(change),
  ];
}

function refused(detail: string): FieldError {
  return FieldError.invalid(conditionsPath, omitValue, detail);
}

function validateCounts({ status }: JobStatusChange): FieldError[] {
  return (["active", "succeeded", "failed", "ready", "terminating"] as const).flatMap((field) =>
    validateNonnegative(status[field] ?? 0, path.child(field)),
  );
}

/** Pods that have ended and are not in the numbers yet, each of them once. */
function validateUncounted({ status }: JobStatusChange): FieldError[] {
  const seen = new Set<string>();
  const at = path.child("uncountedTerminatedPods");
  const validateUid = (uid: string, place: FieldPath) => {
    if (uid === "") return [FieldError.invalid(place, uid, "must not be empty")];
    if (seen.has(uid)) return [FieldError.duplicate(place, uid)];
    seen.add(uid);
    return [];
  };
  return (["succeeded", "failed"] as const).flatMap((list) =>
    (status.uncountedTerminatedPods?.[list] ?? []).flatMap((uid, i) =>
      validateUid(uid, at.child(list).index(i)),
    ),
  );
}

/** A job is complete or has failed, says when, and both only after it was said to be about to. */
function validateCompletion(change: JobStatusChange): FieldError[] {
  const { status, has, isNew, isChanged } = change;
  const { completionTime, startTime } = status;
  const timePath = path.child("completionTime");
  const isTimed = isNew("Complete") || isChanged("completionTime");
  const isEarly = startTime && completionTime && completionTime < startTime;
  const rules: readonly (readonly [unknown, () => FieldError])[] = [
    [
      has("Complete") && has("Failed") && (isNew("Complete") || isNew("Failed")),
      () => refused("cannot set Complete=True and Failed=true conditions"),
    ],
    [
      has("Complete") && has("FailureTarget") && (isNew("Complete") || isNew("FailureTarget")),
      () => refused("cannot set Complete=True and FailureTarget=true conditions"),
    ],
    [
      isTimed && completionTime && !has("Complete"),
      () =>
        FieldError.invalid(
          timePath,
          completionTime,
          "cannot set completionTime when there is no Complete=True condition",
        ),
    ],
    [
      isTimed && !completionTime && has("Complete"),
      () => FieldError.required(timePath, "completionTime is required for Complete jobs"),
    ],
    [
      isEarly && (isChanged("startTime") || isChanged("completionTime")),
      () => FieldError.invalid(timePath, completionTime, "must be equal to or after `startTime`"),
    ],
    [
      has("Failed") && !has("FailureTarget") && (isNew("Failed") || isChanged("failedIndexes")),
      () => refused("cannot set Failed=True condition without the FailureTarget=true condition"),
    ],
    [
      has("Complete") &&
        !has("SuccessCriteriaMet") &&
        (isNew("Complete") || isNew("SuccessCriteriaMet")),
      () =>
        refused("cannot set Complete=True condition without the SuccessCriteriaMet=true condition"),
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem());
}

/** A job that has ended has no pods that are still to be counted. */
function validateFinished(change: JobStatusChange): FieldError[] {
  const { job, status, isChanged, isFinished, hasJustFinished } = change;
  if (!isFinished) return [];
  const { active = 0, startTime, uncountedTerminatedPods: pods } = status;
  const uncounted = [...(pods?.failed ?? []), ...(pods?.succeeded ?? [])].length;
  const neverBegan = job.spec?.suspend === true && job.spec.completions === 0;
  const problems: FieldError[] = [];
  if (active > 0 && (hasJustFinished || isChanged("active"))) {
    const detail = "active>0 is invalid for finished job";
    problems.push(FieldError.invalid(path.child("active"), active, detail));
  }
  if (!startTime && (hasJustFinished || isChanged("startTime")) && !neverBegan) {
    const detail = "startTime is required for finished job";
    problems.push(FieldError.required(path.child("startTime"), detail));
  }
  if (pods && uncounted > 0 && (hasJustFinished || isChanged("uncountedTerminatedPods"))) {
    const at = path.child("uncountedTerminatedPods");
    const detail = "must be empty for finished job";
    problems.push(FieldError.invalid(at, shownTerminatedPods(pods), detail));
  }
  return problems;
}

function validateLivePods(change: JobStatusChange): FieldError[] {
  const { status, isChanged, isFinished, hasJustFinished } = change;
  const { terminating = 0, ready, active = 0 } = status;
  const problems: FieldError[] = [];
  if (terminating > 0 && isFinished && (hasJustFinished || isChanged("terminating"))) {
    const detail = "terminating>0 is invalid for finished job";
    problems.push(FieldError.invalid(path.child("terminating"), terminating, detail));
  }
  if (ready !== undefined && ready > active && (isChanged("ready") || isChanged("active"))) {
    const detail = "cannot set more ready pods than active";
    problems.push(FieldError.invalid(path.child("ready"), ready, detail));
  }
  return problems;
}

function validateSuccessCriteria({ job, has }: JobStatusChange): FieldError[] {
  const isMet = has("SuccessCriteriaMet");
  const unmet =
    "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True";
  return [
    ...(isMet && has("Failed")
      ? [refused("cannot set SuccessCriteriaMet=True and Failed=true conditions")]
      : []),
    ...(isMet && has("FailureTarget")
      ? [refused("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions")]
      : []),
    ...(job.spec?.successPolicy && !isMet && has("Complete") ? [refused(unmet)] : []),
  ];
}
