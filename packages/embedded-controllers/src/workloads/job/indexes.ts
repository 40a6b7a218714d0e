import type { Job, Pod } from "../shared/objects.ts";
import { judgeFailure } from "./failure-policy.ts";
import { finishTime } from "./finish-time.ts";
import { parseIndexes } from "./index-list.ts";
import { isPodFailed, isTracked, validIndexOf } from "./job-state.ts";

const failuresKey = "batch.kubernetes.io/job-index-failure-count";
const ignoredKey = "batch.kubernetes.io/job-index-ignored-failure-count";

/** The state of the indexes of a job. */
export interface Indexes {
  /** Which the status says to have succeeded. */
  readonly previous: ReadonlySet<number>;
  readonly succeeded: ReadonlySet<number>;
  readonly running: ReadonlySet<number>;
  /** Only where each index has a limit of its own. */
  readonly failed: ReadonlySet<number> | undefined;
  /** The pods that failed last at indexes which will be tried again: they know how often. */
  readonly delayed: ReadonlyMap<number, Pod>;
}

function countAt({ metadata }: Pod, key: string): number {
  const text = metadata.annotations?.[key] ?? "";
  return /^\d+$/.test(text) ? Number(text) : 0;
}

/** How often the index of a pod had failed before, whether that counted or not. */
export function failuresBefore(pod: Pod): number {
  return countAt(pod, failuresKey) + countAt(pod, ignoredKey);
}

/** The failure counts of an index, for its next or first pod. */
export function failureAnnotations(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (replaced === undefined) return { [failuresKey]: "0" };
  const { counts } = judgeFailure(job, replaced);
  const failures = countAt(replaced, failuresKey) + (counts ? 1 : 0);
  const ignored = countAt(replaced, ignoredKey) + (counts ? 0 : 1);
  return {
    [failuresKey]: String(failures),
    ...(ignored > 0 && { [ignoredKey]: String(ignored) }),
  };
}

/** Those that have failed more often than an index may, or at once by a rule. */
export function failedIndexes(job: Job, pods: readonly Pod[]): Set<number> {
  const { completions = 0, backoffLimitPerIndex = 0 } = job.spec;
  const failed = parseIndexes(job.status.failedIndexes, completions);
  for (const pod of pods) {
    const index = validIndexOf(pod, job);
    if (index === undefined || !isTracked(pod) || !isPodFailed(pod, job)) continue;
    const { counts, action } = judgeFailure(job, pod);
    const isTooOften = counts && countAt(pod, failuresKey) >= backoffLimitPerIndex;
    if (action === "FailIndex" || isTooOften) failed.add(index);
  }
  return failed;
}

export function delayedPods(
  job: Job,
  pods: readonly Pod[],
  isSettled: (index: number) => boolean,
): Map<number, Pod> {
  const delayed = new Map<number, Pod>();
  for (const pod of pods) {
    const index = validIndexOf(pod, job);
    if (index === undefined || !isTracked(pod)) continue;
    if (!isPodFailed(pod, job) || isSettled(index)) continue;
    const other = delayed.get(index);
    if (other === undefined || isLater(pod, other)) delayed.set(index, pod);
  }
  return delayed;
}

function isLater(pod: Pod, other: Pod): boolean {
  return failuresBefore(pod) >= failuresBefore(other) && finishTime(pod) >= finishTime(other);
}
