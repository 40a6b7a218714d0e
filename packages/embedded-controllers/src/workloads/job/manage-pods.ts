import type { Pod } from "../shared/objects.ts";
import { compareActive } from "../shared/pod-order.ts";
import { isTerminating } from "../shared/pod-state.ts";
import { slowStart } from "../shared/slow-start.ts";
import { backoffSeconds } from "./failure-backoff.ts";
import { finishTime } from "./finish-time.ts";
import { failuresBefore } from "./indexes.ts";
import type { JobDraft } from "./job-draft.ts";
import { createJobPod, deleteJobPods } from "./job-pods.ts";
import { indexOf, isSuspended, replacesOnlyFailed, validIndexOf } from "./job-state.ts";

/** The most pods that one reconcile creates or deletes. */
const burst = 500;

export interface Managed {
  readonly failure?: unknown;
  /** Until pods may be made again after failures. */
  readonly waitSeconds?: number;
}

/** Lets as many pods run as the job may have now. */
export async function managePods(draft: JobDraft): Promise<Managed> {
  const { job, active } = draft;
  const allowed = isSuspended(job) ? 0 : wantedActive(draft);
  const condemned = podsToRemove(draft, Math.max(0, active.length - allowed));
  if (condemned.length > 0) {
    const pods = isSuspended(job) ? condemned : condemned.slice(0, burst);
    return { failure: await deleteJobPods(draft, pods, { counts: false }) };
  }
  const blocked = replacesOnlyFailed(job) ? draft.terminating : 0;
  const missing = Math.min(allowed - blocked - active.length, burst);
  return missing > 0 ? createMissing(draft, missing) : {};
}

function wantedActive({ job, active, succeeded }: JobDraft): number {
  const { completions, parallelism = 1 } = job.spec;
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** Of several pods with one index, and of those that no index is left for, only one stays. */
function podsToRemove({ job, active, indexes }: JobDraft, atLeast: number): Pod[] {
  if (indexes === undefined) return active.toSorted(compareActive).slice(0, atLeast);
  const groups = Map.groupBy(active, (pod) => validIndexOf(pod, job));
  const stays = [...groups].flatMap(([index, pods]) =>
    index === undefined ? [] : (pods.toSorted(compareActive).at(-1) ?? []),
  );
  const surplus = active.filter((pod) => !stays.includes(pod));
  const more = Math.max(0, atLeast - surplus.length);
  return [...surplus, ...stays.toSorted(compareActive).slice(0, more)];
}

interface ReadyIndexes {
  /** Undefined where pods have no indexes. */
  readonly now: readonly number[] | undefined;
  readonly waitSeconds?: number;
}

async function createMissing(draft: JobDraft, missing: number): Promise<Managed> {
  const { job, record, scope, indexes } = draft;
  const now = scope.context.now();
  const hasOwnLimits = job.spec.backoffLimitPerIndex !== undefined;
  const wait = hasOwnLimits ? 0 : backoffSeconds(record, now);
  const pending = indexes && pendingIndexes(draft, missing);
  const ready: ReadyIndexes =
    hasOwnLimits && pending ? readyIndexes(draft, pending, now) : { now: pending };
  const waitSeconds = wait > 0 ? wait : ready.waitSeconds;
  if (waitSeconds !== undefined && waitSeconds > 0) {
    draft.activeCount = 0;
    return { waitSeconds };
  }
  const count = ready.now?.length ?? missing;
  const started = await slowStart(count, (index) => createJobPod(draft, ready.now?.[index]));
  draft.activeCount += started.succeeded;
  return { failure: started.failure };
}

/** The first indexes that neither have an end nor a pod. */
function pendingIndexes({ job, pods, indexes }: JobDraft, count: number): number[] {
  const ending = replacesOnlyFailed(job) ? pods.filter(isTerminating) : [];
  const taken = new Set([
    ...(indexes?.succeeded ?? []),
    ...(indexes?.running ?? []),
    ...(indexes?.failed ?? []),
    ...ending.flatMap((pod) => indexOf(pod) ?? []),
  ]);
  const pending: number[] = [];
  const { completions = 0 } = job.spec;
  for (let index = 0; index < completions && pending.length < count; index++) {
    if (!taken.has(index)) pending.push(index);
  }
  return pending;
}

/** Those that need not wait after a failure of their own. */
function readyIndexes({ indexes }: JobDraft, pending: readonly number[], now: Date): ReadyIndexes {
  const waits = pending.map((index) => {
    const pod = indexes?.delayed.get(index);
    if (pod === undefined) return 0;
    return backoffSeconds({ failures: failuresBefore(pod) + 1, last: finishTime(pod) }, now);
  });
  const ready = pending.filter((_, place) => waits[place] === 0);
  return ready.length > 0 ? { now: ready } : { now: ready, waitSeconds: Math.min(...waits) };
}
