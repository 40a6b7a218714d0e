import { formatObjectKey, formatTime, objectKeyOf } from "@rookery/kube";
import {
  type Controller,
  done,
  isBeingDeleted,
  type Result,
  requeue,
  requeueAfter,
} from "@rookery/runtime";
import { claim } from "../shared/claim.ts";
import { kinds } from "../shared/kinds.ts";
import { findCondition, type Job } from "../shared/objects.ts";
import { emit, type Scope, type WorkloadContext } from "../shared/workload-context.ts";
import { createWorkloadController } from "../shared/workload-controller.ts";
import { type FailureRecord, noFailures } from "./failure-backoff.ts";
import { draftOf, type JobDraft } from "./job-draft.ts";
import { deleteJobPods } from "./job-pods.ts";
import {
  conditionOf,
  isFinished,
  isManagedByOthers,
  isSuspended,
  trackingFinalizer,
} from "./job-state.ts";
import { managePods } from "./manage-pods.ts";
import { trackPods } from "./track-pods.ts";
import { completionsReached, secondsToDeadline, verdictOf } from "./verdict.ts";

/** By the keys of jobs. */
type Records = Map<string, FailureRecord>;

/** Runs pods until enough of them have succeeded, or too many have failed. */
export function createJobController(context: WorkloadContext): Controller {
  const records: Records = new Map();
  return createWorkloadController(context, {
    name: "job-controller",
    kind: kinds.jobs,
    dependents: [kinds.pods],
    reconcile: (job, scope) => reconcile(job, records, scope),
    forget: (key) => records.delete(formatObjectKey(key)),
  });
}

async function reconcile(job: Job, records: Records, scope: Scope): Promise<Result> {
  const key = formatObjectKey(objectKeyOf(job));
  if (isManagedByOthers(job)) return done;
  if (isFinished(job)) {
    records.delete(key);
    return done;
  }
  const finalizers = [trackingFinalizer];
  const dependents = scope.context.pods;
  const pods = await claim(job, { dependents, ownerKind: kinds.jobs, finalizers }, scope);
  const record = records.get(key) ?? noFailures;
  const draft = draftOf(job, { pods, record }, scope);
  const { failure, waitSeconds } = await act(draft);
  await trackPods(draft);
  records.set(key, draft.record);
  if (failure !== undefined) return requeue;
  if (draft.verdict !== undefined) return done;
  const deadline = secondsToDeadline(draft.job, scope.context.now());
  const wait = Math.min(waitSeconds ?? Number.POSITIVE_INFINITY, deadline);
  return Number.isFinite(wait) ? requeueAfter(wait) : done;
}

async function act(draft: JobDraft): Promise<{ failure?: unknown; waitSeconds?: number }> {
  const { active, scope } = draft;
  draft.verdict = verdictOf(draft);
  if (draft.verdict !== undefined) {
    const failure = await deleteJobPods(draft, active, { counts: true });
    if (failure !== undefined) draft.verdict = undefined;
    return { failure };
  }
  const isEnding = isBeingDeleted(draft.job);
  const managed = isEnding ? {} : await managePods(draft);
  if (isComplete(draft)) draft.verdict = conditionOf(completionsReached, scope.context.now());
  else if (!isEnding) noteSuspension(draft);
  return managed;
}

function isComplete({ job, succeeded, activeCount }: JobDraft): boolean {
  const { completions } = job.spec;
  return succeeded >= (completions ?? 1) && activeCount === 0;
}

function noteSuspension(draft: JobDraft): void {
  const { job, scope } = draft;
  const { conditions = [] } = job.status;
  const current = findCondition(conditions, "Suspended");
  const isNow = isSuspended(job);
  if (isNow === (current?.status === "True")) return;
  const now = scope.context.now();
  const verb = isNow ? "suspended" : "resumed";
  const reason = isNow ? "Suspended" : "Resumed";
  const status = isNow ? "True" : "False";
  const message = `Job ${verb}`;
  const condition = conditionOf(
    { type: "Suspended", status, reason: `Job${reason}`, message },
    now,
  );
  const changed = current
    ? conditions.map((each) => (each === current ? condition : each))
    : [...conditions, condition];
  const startTime = isNow ? {} : { startTime: formatTime(now) };
  draft.job = { ...job, status: { ...job.status, ...startTime, conditions: changed } };
  emit(scope, job, reason, message);
}
