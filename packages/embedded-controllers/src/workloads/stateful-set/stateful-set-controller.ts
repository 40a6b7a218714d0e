import type { StatefulSetStatus } from "@rookery/api";
import { type Controller, done, isBeingDeleted, type Result, requeueAfter } from "@rookery/runtime";
import { claim } from "../shared/claim.ts";
import { kinds } from "../shared/kinds.ts";
import { isSameStatus, writerOf } from "../shared/object-writer.ts";
import type { Pod, StatefulSet } from "../shared/objects.ts";
import { isAvailable } from "../shared/pod-state.ts";
import { claimRevisions } from "../shared/revision-history.ts";
import type { Scope, WorkloadContext } from "../shared/workload-context.ts";
import { createWorkloadController } from "../shared/workload-controller.ts";
import { processPods, type Step, updatePods } from "./process-pods.ts";
import {
  isCreated,
  isRunningAndReady,
  ordinalOf,
  placeOf,
  plannedPod,
  podRevision,
  startOrdinal,
} from "./set-pods.ts";
import { type SetRevisions, syncRevisions, truncateHistory } from "./set-revisions.ts";

/** Keeps pods that have names, and claims, of their own. */
export function createStatefulSetController(context: WorkloadContext): Controller {
  return createWorkloadController(context, {
    name: "statefulset-controller",
    kind: kinds.statefulSets,
    dependents: [kinds.pods],
    reconcile,
  });
}

async function reconcile(set: StatefulSet, scope: Scope): Promise<Result> {
  const revisions = await claimRevisions(set, kinds.statefulSets, scope);
  const pods = await claim(
    set,
    {
      dependents: scope.context.pods,
      ownerKind: kinds.statefulSets,
      accepts: (pod) => ordinalOf(pod, set) >= 0,
    },
    scope,
  );
  const live = await syncRevisions(set, revisions, scope);
  const { status, failure } = await takeStep(set, { pods, revisions: live }, scope);
  const isNews = !isSameStatus(withoutCollisions(set.status), withoutCollisions(status));
  if (isNews) await writerOf(scope, kinds.statefulSets).updateStatus(set, status);
  await truncateHistory(set, { revisions, live, pods }, scope);
  if (failure !== undefined) throw failure;
  const { minReadySeconds = 0, replicas } = set.spec;
  const isWaiting = minReadySeconds > 0 && status.availableReplicas !== replicas;
  return isWaiting ? requeueAfter(minReadySeconds) : done;
}

/** Kubernetes does not write a status for its sake alone. */
function withoutCollisions({ collisionCount: _, ...status }: StatefulSet["status"]) {
  return status;
}

interface Found {
  readonly pods: readonly Pod[];
  readonly revisions: SetRevisions;
}

/** Does what the moment allows. A failure does not keep the status from being written. */
async function takeStep(set: StatefulSet, { pods, revisions }: Found, scope: Scope) {
  const step = stepOf(set, { pods, revisions }, scope);
  const now = scope.context.now();
  const counted = [...step.replicas, ...step.condemned];
  const status = setStatus(set, { revisions, pods: counted, now });
  if (isBeingDeleted(set)) return { status: completed(set, status) };
  try {
    const isUpdating =
      !(await processPods(step)) && (await updatePods(step, revisions.update.metadata.name ?? ""));
    const currentReplicas = Math.max(0, (status.currentReplicas ?? 0) - (isUpdating ? 1 : 0));
    return { status: completed(set, { ...status, currentReplicas }) };
  } catch (failure) {
    return { status: completed(set, status), failure };
  }
}

function stepOf(set: StatefulSet, { pods, revisions }: Found, scope: Scope): Step {
  const there = new Map(pods.map((pod) => [placeOf(pod, set), pod]));
  const { replicas: length = 1 } = set.spec;
  const replicas = Array.from(
    { length },
    (_, place) => there.get(place) ?? plannedPod(set, startOrdinal(set) + place, revisions),
  );
  const condemned = pods
    .filter((pod) => placeOf(pod, set) < 0)
    .toSorted((a, b) => ordinalOf(b, set) - ordinalOf(a, set));
  return { set, scope, replicas, condemned };
}

/** The counts of pods, by what they are and which revision they have. */
function setStatus(
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
    created.filter((pod) => !isBeingDeleted(pod) && podRevision(pod) === revision).length;
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
function completed({ spec }: StatefulSet, status: StatefulSetStatus): StatefulSetStatus {
  const { updatedReplicas = 0, readyReplicas, replicas, updateRevision = "" } = status;
  const isEach = [updatedReplicas, readyReplicas, replicas].every((n) => n === spec.replicas);
  if (spec.updateStrategy?.type !== "RollingUpdate" || !isEach) return status;
  return { ...status, currentReplicas: updatedReplicas, currentRevision: updateRevision };
}
