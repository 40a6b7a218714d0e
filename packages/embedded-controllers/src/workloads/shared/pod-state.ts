import { isBeingDeleted } from "@rookery/runtime";
import { findCondition, type Pod } from "./objects.ts";

/** Whether it has run to its end. */
export function isFinished({ status }: Pod): boolean {
  return status.phase === "Succeeded" || status.phase === "Failed";
}

/** Whether it runs or is going to run. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && !isBeingDeleted(pod);
}

/** Whether it is being deleted and still runs. */
export function isTerminating(pod: Pod): boolean {
  return !isFinished(pod) && isBeingDeleted(pod);
}

/** Since when it is ready, in milliseconds; 0 where that is not known, undefined where it is not. */
export function readySince({ status }: Pod): number | undefined {
  const ready = findCondition(status.conditions, "Ready");
  if (ready?.status !== "True") return undefined;
  return ready.lastTransitionTime ? Date.parse(ready.lastTransitionTime) : 0;
}

export function isReady(pod: Pod): boolean {
  return readySince(pod) !== undefined;
}

/** Whether it has been ready for long enough. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: Date): boolean {
  const since = readySince(pod);
  if (since === undefined) return false;
  if (minReadySeconds === 0) return true;
  return since !== 0 && since + minReadySeconds * 1000 <= now.getTime();
}

/** In how many seconds the next of the pods that are ready becomes available, if any does. */
export function nextAvailability(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: Date,
): number | undefined {
  const waits = pods.flatMap((pod) => {
    const since = readySince(pod);
    const left = (since ?? 0) + minReadySeconds * 1000 - now.getTime();
    return since && left > 0 ? [left / 1000] : [];
  });
  return waits.length === 0 ? undefined : Math.min(...waits);
}
