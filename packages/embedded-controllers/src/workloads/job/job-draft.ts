import type { JobCondition } from "@rookery/api";
import { formatTime } from "@rookery/kube";
import type { Job, Pod } from "../shared/objects.ts";
import { isActive, isReady, isTerminating } from "../shared/pod-state.ts";
import type { Scope } from "../shared/workload-context.ts";
import { type FailureRecord, recordWith } from "./failure-backoff.ts";
import { judgeFailure } from "./failure-policy.ts";
import { parseIndexes } from "./index-list.ts";
import { delayedPods, failedIndexes, type Indexes } from "./indexes.ts";
import {
  indexOf,
  isIndexed,
  isPodFailed,
  isSuspended,
  isTracked,
  validIndexOf,
} from "./job-state.ts";

/** A job during one reconcile: the state of its pods, and the status to write. */
export interface JobDraft {
  readonly scope: Scope;
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  /** Those that are in the status as not yet counted. */
  readonly uncounted: {
    readonly succeeded: ReadonlySet<string>;
    readonly failed: ReadonlySet<string>;
  };
  /** With those that are not counted yet. */
  readonly succeeded: number;
  readonly failed: number;
  readonly record: FailureRecord;
  /** Of an indexed job. */
  readonly indexes: Indexes | undefined;
  /** As it was last read or written. */
  stored: Job;
  /** With what is known anew of its status. */
  job: Job;
  activeCount: number;
  ready: number;
  terminating: number;
  /** Why the job is at its end, where it is. */
  verdict: JobCondition | undefined;
}

/** The state at the start of a reconcile. */
export function draftOf(
  stored: Job,
  { pods, record }: { readonly pods: readonly Pod[]; readonly record: FailureRecord },
  scope: Scope,
): JobDraft {
  const job = started(stored, scope);
  const active = pods.filter(isActive);
  const known = job.status.uncountedTerminatedPods ?? {};
  const uncounted = { succeeded: new Set(known.succeeded), failed: new Set(known.failed) };
  const fresh = pods.filter((pod) => isTracked(pod) && hasValidIndex(pod, job));
  const isKnown = (pod: Pod, uids: ReadonlySet<string>) => uids.has(pod.metadata.uid ?? "");
  const succeeded = fresh.filter(
    (pod) => pod.status.phase === "Succeeded" && !isKnown(pod, uncounted.succeeded),
  );
  const failed = fresh.filter((pod) => isPodFailed(pod, job) && !isKnown(pod, uncounted.failed));
  const counted = failed.filter((pod) => judgeFailure(job, pod).counts);
  const indexes = isIndexed(job) ? indexesOf(job, pods, active) : undefined;
  const { succeeded: before = 0, failed: failedBefore = 0 } = job.status;
  return {
    stored,
    job,
    scope,
    pods,
    active,
    uncounted,
    indexes,
    succeeded: indexes?.succeeded.size ?? before + succeeded.length + uncounted.succeeded.size,
    failed: failedBefore + counted.length + uncounted.failed.size,
    record: recordWith(record, succeeded, failed),
    activeCount: active.length,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
    verdict: undefined,
  };
}

function hasValidIndex(pod: Pod, job: Job): boolean {
  return !isIndexed(job) || validIndexOf(pod, job) !== undefined;
}

function indexesOf(job: Job, pods: readonly Pod[], active: readonly Pod[]): Indexes {
  const previous = parseIndexes(job.status.completedIndexes, job.spec.completions ?? 0);
  const done = pods.filter((pod) => isTracked(pod) && pod.status.phase === "Succeeded");
  const succeeded = new Set([...previous, ...done.flatMap((pod) => validIndexOf(pod, job) ?? [])]);
  const running = new Set(active.flatMap((pod) => indexOf(pod) ?? []));
  const failed = job.spec.backoffLimitPerIndex === undefined ? undefined : failedIndexes(job, pods);
  const delayed = failed
    ? delayedPods(job, pods, (index) => [succeeded, failed, running].some((set) => set.has(index)))
    : new Map<number, Pod>();
  return { previous, succeeded, running, failed, delayed };
}

/** From when on the job counts as active. */
function started(job: Job, { context }: Scope): Job {
  if (job.status.startTime !== undefined || isSuspended(job)) return job;
  return { ...job, status: { ...job.status, startTime: formatTime(context.now()) } };
}
