import type { JobStatus } from "@rookery/api";
import { deepEqual } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { kinds } from "../shared/kinds.ts";
import { writerOf } from "../shared/object-writer.ts";
import { findCondition, type Pod } from "../shared/objects.ts";
import { emit, warn } from "../shared/workload-context.ts";
import { judgeFailure } from "./failure-policy.ts";
import { formatIndexes } from "./index-list.ts";
import type { JobDraft } from "./job-draft.ts";
import { untrack } from "./job-pods.ts";
import {
  type ConditionType,
  conditionOf,
  isIndexed,
  isPodFailed,
  isTracked,
  validIndexOf,
} from "./job-state.ts";

/** How many pods are counted in one step. */
const mostUncounted = 500;

/**
 * Counts the pods that have ended, each exactly once: the status lists them as uncounted, then their
 * finalizers are removed, then they are counted. A reconcile after a crash finds the list.
 */
export async function trackPods(draft: JobDraft): Promise<void> {
  const { scope } = draft;
  const { ended, notes, isAll } = endedPods(draft);
  await flush(draft, noted(draft, notes));
  await Promise.all(ended.map((pod) => untrack(pod, scope)));
  const isEnd = isAll && draft.verdict !== undefined && draft.terminating === 0;
  const status = counted(draft, new Set(ended.map(({ metadata }) => metadata.uid)));
  await flush(draft, isEnd ? finished(draft, status) : status);
  if (isEnd) emitEnd(draft);
}

async function flush(draft: JobDraft, status: JobStatus): Promise<void> {
  const { stored, scope } = draft;
  if (isSameJobStatus(stored.status, status)) return;
  draft.stored = await writerOf(scope, kinds.jobs).updateStatus(stored, status);
  draft.job = draft.stored;
}

/** Pointers that are 0 say something, other fields that are empty do not. */
function isSameJobStatus(a: JobStatus, b: JobStatus): boolean {
  const normal = ({ ready, terminating, failedIndexes, ...status }: JobStatus) => {
    const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
    const { completedIndexes = "", conditions = [] } = status;
    const counts = [status.active ?? 0, status.succeeded ?? 0, status.failed ?? 0];
    const pointers = [ready ?? null, terminating ?? null, failedIndexes ?? null];
    const times = [status.startTime ?? null, status.completionTime ?? null];
    return [counts, pointers, times, succeeded, failed, completedIndexes, conditions];
  };
  return deepEqual(normal(a), normal(b));
}

interface Notes {
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
}

/** The pods whose finalizer may be removed, and the uids to list as uncounted. */
function endedPods(draft: JobDraft) {
  const { job, pods, uncounted } = draft;
  const ended: Pod[] = [];
  const succeeded = [...uncounted.succeeded];
  const failed = [...uncounted.failed];
  const there = pods.filter((pod) => isTracked(pod) && mayGo(draft, pod));
  for (const pod of there) {
    if (succeeded.length + failed.length >= mostUncounted) break;
    ended.push(pod);
    const { uid = "" } = pod.metadata;
    if (uncounted.failed.has(uid) || uncounted.succeeded.has(uid)) continue;
    if (pod.status.phase !== "Succeeded") {
      if (isCountedFailure(draft, pod)) failed.push(uid);
    } else if (!isIndexed(job)) succeeded.push(uid);
  }
  const notes: Notes = { succeeded, failed };
  return { ended, notes, isAll: ended.length === there.length };
}

function mayGo({ job, verdict, indexes }: JobDraft, pod: Pod): boolean {
  const isOver = isBeingDeleted(job) || verdict !== undefined;
  if (isOver || pod.status.phase === "Succeeded") return true;
  if (!isPodFailed(pod, job)) return false;
  // The last one that failed at an index stays: it knows how often that was.
  const index = validIndexOf(pod, job);
  const delayed = index === undefined ? undefined : indexes?.delayed.get(index);
  return delayed?.metadata.uid !== pod.metadata.uid;
}

function isCountedFailure({ job, verdict }: JobDraft, pod: Pod): boolean {
  const isEnd = verdict !== undefined && verdict.type !== "SuccessCriteriaMet";
  if (!isPodFailed(pod, job) && !isEnd) return false;
  if (isIndexed(job) && validIndexOf(pod, job) === undefined) return false;
  return judgeFailure(job, pod).counts;
}

/** The status with what is not counted yet, and with what will become of the job. */
function noted(draft: JobDraft, notes: Notes): JobStatus {
  const { job, pods, indexes, activeCount, ready, terminating } = draft;
  const tracked = new Set(pods.filter(isTracked).map(({ metadata }) => metadata.uid));
  const status = withCounts(job.status, notes, (uid) => !tracked.has(uid));
  return {
    ...status,
    active: activeCount,
    ready,
    terminating,
    ...(indexes && indexCounts(indexes.succeeded, indexes.failed)),
    conditions: announced(draft),
  };
}

function indexCounts(succeeded: ReadonlySet<number>, failed: ReadonlySet<number> | undefined) {
  return {
    succeeded: succeeded.size,
    completedIndexes: formatIndexes(succeeded),
    ...(failed && { failedIndexes: formatIndexes(failed) }),
  };
}

/** Says that the job will end before all pods have ended, and then it has ended. */
function announced(draft: JobDraft) {
  const { job, verdict, scope } = draft;
  const conditions = job.status.conditions ?? [];
  if (verdict === undefined || verdict.type === "Failed") return conditions;
  const type = verdict.type as ConditionType;
  const { reason = "", message = "" } = verdict;
  const end = type === "FailureTarget" ? "Failed" : "Complete";
  draft.verdict = conditionOf({ type: end, reason, message }, scope.context.now());
  return findCondition(conditions, type)?.status === "True" ? conditions : [...conditions, verdict];
}

/** Counts those of the notes that have gone. */
function withCounts(status: JobStatus, notes: Notes, isGone: (uid: string) => boolean): JobStatus {
  const { succeeded = 0, failed = 0 } = status;
  const gone = (uids: readonly string[]) => uids.filter(isGone).length;
  const left = (uids: readonly string[]) => uids.filter((uid) => !isGone(uid));
  return {
    ...status,
    succeeded: succeeded + gone(notes.succeeded),
    failed: failed + gone(notes.failed),
    uncountedTerminatedPods: {
      succeeded: left(notes.succeeded),
      failed: left(notes.failed),
    },
  };
}

function counted({ job, indexes }: JobDraft, gone: ReadonlySet<string | undefined>): JobStatus {
  const { succeeded = [], failed = [] } = job.status.uncountedTerminatedPods ?? {};
  const status = withCounts(job.status, { succeeded, failed }, (uid) => gone.has(uid));
  return { ...status, ...(indexes && { succeeded: indexes.succeeded.size }) };
}

function finished({ verdict }: JobDraft, status: JobStatus): JobStatus {
  const { conditions = [] } = status;
  if (verdict === undefined) return status;
  const { lastTransitionTime } = verdict;
  return {
    ...status,
    conditions: [...conditions, verdict],
    ...(verdict.type === "Complete" &&
      lastTransitionTime && { completionTime: lastTransitionTime }),
  };
}

function emitEnd({ job, verdict, scope }: JobDraft): void {
  if (verdict?.type === "Failed") {
    warn(scope, job, verdict.reason ?? "", verdict.message ?? "");
    return;
  }
  if ((job.status.succeeded ?? 0) > (job.spec.completions ?? Number.POSITIVE_INFINITY)) {
    const note = "Too many succeeded pods running after completion count reached";
    warn(scope, job, "TooManySucceededPods", note);
  }
  emit(scope, job, "Completed", "Job completed");
}
