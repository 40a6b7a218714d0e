import type { StatefulSetStatus } from "@rookery/api";
import type { Pod, StatefulSet } from "../shared/objects.ts";
import { isAvailable, isEnding } from "../shared/pod-state.ts";
import { isCreated, isRunningAndReady, podRevision } from "./set-pods.ts";
import type { SetRevisions } from "./set-revisions.ts";

/** The counts of pods, by what they are and which revision they have. */
export function setStatus(
  set: StatefulSet,
  {
    revisions,
    pods,
    now,
  }: {
    readonly revisions: SetRevisions;
    readonly pods: readonly Pod[];
    readonly now: Date;
  },
): StatefulSetStatus {
  const current = revisions.current.metadata.name ?? "";
  const update = revisions.update.metadata.name ?? "";
  const created = pods.filter(isCreated);
  const ready = created.filter(isRunningAndReady);
  const countOf = (revision: string) =>
    created.filter((pod) => !isEnding(pod) && podRevision(pod) === revision).length;
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: created.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now))
      .length,
    currentReplicas: countOf(current),
    updatedReplicas: countOf(update),
    currentRevision: current,
    updateRevision: update,
    collisionCount: revisions.collisionCount,
  };
}

/** When all pods are updated and ready, the update is what is current. */
export function completed({ spec }: StatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const { updatedReplicas = 0, readyReplicas, replicas, updateRevision = "" } = status;
  const isEach = [updatedReplicas, readyReplicas, replicas].every((n) => n === spec.replicas);
  if (spec.updateStrategy?.type !== "RollingUpdate" || !isEach) return status;
  return { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision };
}
