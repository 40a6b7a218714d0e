import type { ContainerStatus } from "@rookery/api";
import { findCondition, type Pod } from "../shared/objects.ts";

/** When a pod ended, in milliseconds, from the best that is known of it. */
export function finishTime(pod: Pod): number {
  const { metadata, status } = pod;
  const containers = containersFinishTime(pod);
  if (containers !== undefined) return containers;
  const ready = findCondition(status.conditions, "Ready");
  if (ready?.status === "False" && ready.lastTransitionTime) {
    return Date.parse(ready.lastTransitionTime);
  }
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = metadata;
  if (deletionTimestamp) return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return Date.parse(creationTimestamp ?? "") || 0;
}

/** Of the last container; undefined while one of them runs. */
function containersFinishTime({ spec, status }: Pod): number | undefined {
  const sidecars = (spec.initContainers ?? []).filter((each) => each.restartPolicy === "Always");
  const names = new Set(sidecars.map(({ name }) => name));
  const others = (status.initContainerStatuses ?? []).filter(({ name }) => names.has(name));
  const times = [...(status.containerStatuses ?? []), ...others].map(terminatedAt);
  const isAll = times.length > 0 && times.every((time) => time !== undefined);
  return isAll ? Math.max(...(times as number[])) : undefined;
}

function terminatedAt({ state }: ContainerStatus): number | undefined {
  const { finishedAt } = state?.terminated ?? {};
  return finishedAt ? Date.parse(finishedAt) : undefined;
}
