import { type Controller, done, type Result, requeue, requeueAfter } from "@rookery/runtime";
import { claim } from "../shared/claim.ts";
import { kinds } from "../shared/kinds.ts";
import type { Pod, ReplicaSet } from "../shared/objects.ts";
import { isActive, nextAvailability } from "../shared/pod-state.ts";
import { isSameStatus, updateStatus } from "../shared/update-status.ts";
import { causeOf, type Scope, type WorkloadContext } from "../shared/workload-context.ts";
import { createWorkloadController } from "../shared/workload-controller.ts";
import { manageReplicas } from "./manage-replicas.ts";
import { replicaSetStatus } from "./replica-set-status.ts";

/** Keeps as many pods of a template as are wanted. */
export function createReplicaSetController(context: WorkloadContext): Controller {
  return createWorkloadController(context, {
    name: "replicaset-controller",
    kind: kinds.replicaSets,
    dependents: [kinds.pods],
    reconcile,
  });
}

async function reconcile(replicaSet: ReplicaSet, scope: Scope): Promise<Result> {
  const { metadata, spec } = replicaSet;
  const pods = await claimPods(replicaSet, scope);
  const isEnding = metadata.deletionTimestamp !== undefined;
  const failure = isEnding ? undefined : await manageReplicas(replicaSet, pods, scope);
  const now = scope.context.now();
  const status = replicaSetStatus(replicaSet, {
    pods,
    now,
    failure: failure === undefined ? undefined : causeOf(failure),
  });
  if (!isSameStatus(replicaSet.status, status)) {
    await updateStatus(replicaSet, { kind: kinds.replicaSets, status }, scope);
  }
  if (failure !== undefined) return requeue;
  const { minReadySeconds = 0 } = spec;
  if (minReadySeconds === 0 || status.readyReplicas === status.availableReplicas) return done;
  return requeueAfter(nextAvailability(pods, minReadySeconds, now) ?? minReadySeconds);
}

/** The pods that count: those that ended, or end, are nobody's any more. */
function claimPods(replicaSet: ReplicaSet, scope: Scope): Promise<Pod[]> {
  const { pods } = scope.context;
  const all = [...pods.of(replicaSet), ...pods.orphansIn(replicaSet.metadata.namespace ?? "")];
  const candidates = all.filter(isActive);
  return claim(replicaSet, { kind: kinds.pods, ownerKind: kinds.replicaSets, candidates }, scope);
}
