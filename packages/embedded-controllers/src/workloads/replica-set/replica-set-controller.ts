import { type Controller, done, type Result, requeue, requeueAfter } from "@rookery/runtime";
import { claim } from "../shared/claim.ts";
import { kinds } from "../shared/kinds.ts";
import { writeStatus } from "../shared/object-writer.ts";
import type { ReplicaSet } from "../shared/objects.ts";
import { isActive, nextAvailability } from "../shared/pod-state.ts";
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
  const pods = await claim(
    replicaSet,
    {
      dependents: scope.context.pods,
      ownerKind: kinds.replicaSets,
      ignores: (pod) => !isActive(pod),
    },
    scope,
  );
  const isEnding = metadata.deletionTimestamp !== undefined;
  const failure = isEnding ? undefined : await manageReplicas(replicaSet, pods, scope);
  const now = scope.context.now();
  const status = replicaSetStatus(replicaSet, {
    pods,
    now,
    failure: failure === undefined ? undefined : causeOf(failure),
  });
  await writeStatus(replicaSet, { kind: kinds.replicaSets, status }, scope);
  if (failure !== undefined) return requeue;
  const { minReadySeconds = 0 } = spec;
  if (minReadySeconds === 0 || status.readyReplicas === status.availableReplicas) return done;
  return requeueAfter(nextAvailability(pods, minReadySeconds, now) ?? minReadySeconds);
}
