import type { JobCondition } from "@rookery/api";
import { formatTime } from "@rookery/kube";
import { isBeingDeleted } from "@rookery/runtime";
import { findCondition, type Job, type Pod } from "../shared/objects.ts";

/** Keeps a pod from going before it is counted. */
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";
export const indexKey = "batch.kubernetes.io/job-completion-index";
const controllerName = "kubernetes.io/job-controller";

export type ConditionType =
  | "Complete"
  | "Failed"
  | "Suspended"
  | "SuccessCriteriaMet"
  | "FailureTarget";

export function isTrue(job: Job, type: ConditionType): boolean {
  return findCondition(job.status.conditions, type)?.status === "True";
}

export function isFinished(job: Job): boolean {
  return isTrue(job, "Complete") || isTrue(job, "Failed");
}

export interface Verdict {
  readonly type: ConditionType;
  readonly status?: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

export function conditionOf({ status = "True", ...verdict }: Verdict, now: Date): JobCondition {
  const time = formatTime(now);
  return { ...verdict, status, lastProbeTime: time, lastTransitionTime: time };
}

export function isSuspended({ spec }: Job): boolean {
  return spec.suspend === true;
}

export function isIndexed({ spec }: Job): boolean {
  return spec.completionMode === "Indexed";
}

/** Whether another controller than this one sees to it. */
export function isManagedByOthers({ spec }: Job): boolean {
  return spec.managedBy !== undefined && spec.managedBy !== controllerName;
}

/** Whether a pod is replaced only when it has ended, and not already while it ends. */
export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec.podReplacementPolicy === "Failed" || spec.podFailurePolicy !== undefined;
}

export function isPodFailed(pod: Pod, job: Job): boolean {
  if (pod.status.phase === "Failed") return true;
  if (replacesOnlyFailed(job)) return false;
  return isBeingDeleted(pod) && pod.status.phase !== "Succeeded";
}

export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) ?? false;
}

/** The index of a pod among the completions; undefined where it has none. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[indexKey];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** As above, where it is one that the job has. */
export function validIndexOf(pod: Pod, { spec }: Job): number | undefined {
  const index = indexOf(pod);
  return index !== undefined && index < (spec.completions ?? 0) ? index : undefined;
}
