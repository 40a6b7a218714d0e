import { controllerOf } from "@rookery/kube";
import {
  type Controller,
  createStoreSource,
  done,
  isBeingDeleted,
  type Result,
  requeueAfter,
  type Source,
} from "@rookery/runtime";
import { claim } from "../shared/claim.ts";
import { findObject, kinds } from "../shared/kinds.ts";
import { isSameStatus } from "../shared/object-writer.ts";
import { type Deployment, findCondition } from "../shared/objects.ts";
import { isFinished } from "../shared/pod-state.ts";
import type { Scope, WorkloadContext } from "../shared/workload-context.ts";
import { createWorkloadController } from "../shared/workload-controller.ts";
import { cleanUp } from "./clean-up.ts";
import type { Statement } from "./conditions.ts";
import { deploymentStatus, rolloutStatus, secondsToDeadline } from "./deployment-status.ts";
import { ensureNewReplicaSet, syncRevision } from "./new-replica-set.ts";
import { hasProgressDeadline, isComplete, isRollingUpdate } from "./policies.ts";
import { activeOf, replicasOf, wanted } from "./replica-sets.ts";
import { rollingUpdate } from "./rolling-update.ts";
import { Rollout } from "./rollout.ts";
import { isScalingEvent, scale, scaleTo } from "./scale.ts";

/** Rolls out templates, by ReplicaSets of which each has one. */
export function createDeploymentController(context: WorkloadContext): Controller {
  return createWorkloadController(context, {
    name: "deployment-controller",
    kind: kinds.deployments,
    dependents: [kinds.replicaSets],
    sources: [podsSource(context)],
    reconcile,
  });
}

async function reconcile(deployment: Deployment, scope: Scope): Promise<Result> {
  const dependents = scope.context.replicaSets;
  const sets = await claim(deployment, { dependents, ownerKind: kinds.deployments }, scope);
  const rollout = new Rollout(deployment, sets, scope);
  if (isBeingDeleted(deployment)) {
    await syncRevision(rollout);
    return writeStatus(rollout, deploymentStatus);
  }
  await notePause(rollout);
  await syncRevision(rollout);
  const { paused } = deployment.spec;
  if (paused || isScalingEvent(rollout)) {
    await scale(rollout);
    if (paused) await cleanUp(rollout);
    return writeStatus(rollout, deploymentStatus);
  }
  await (isRollingUpdate(deployment) ? rollingUpdate(rollout) : recreate(rollout));
  return writeStatus(rollout, rolloutStatus);
}

/** A pause stops the clock of the deadline, and its end starts it anew. */
async function notePause(rollout: Rollout): Promise<void> {
  const { deployment } = rollout;
  const current = findCondition(deployment.status.conditions, "Progressing");
  if (!hasProgressDeadline(deployment) || current?.reason === "ProgressDeadlineExceeded") return;
  const isPaused = deployment.spec.paused === true;
  if (isPaused === (current?.reason === paused.reason)) return;
  const conditions = rollout.conditionsWith(isPaused ? paused : resumed);
  await rollout.updateStatus({ ...deployment.status, conditions });
}

const paused: Statement = {
  type: "Progressing",
  status: "Unknown",
  reason: "DeploymentPaused",
  message: "Deployment is paused",
};

const resumed: Statement = {
  type: "Progressing",
  status: "Unknown",
  reason: "DeploymentResumed",
  message: "Deployment is resumed",
};

async function writeStatus(rollout: Rollout, statusOf: typeof rolloutStatus): Promise<Result> {
  const { deployment, all, newest, scope } = rollout;
  const now = scope.context.now();
  const status = statusOf(deployment, { all, newest, now });
  if (!isSameStatus(deployment.status, status)) {
    await rollout.updateStatus(status);
    return done;
  }
  return statusOf === rolloutStatus ? lookAtDeadline(rollout.deployment, now) : done;
}

/** Nothing may happen any more until the deadline, and then it has to be said. */
function lookAtDeadline(deployment: Deployment, now: Date): Result {
  const { status } = deployment;
  const current = findCondition(status.conditions, "Progressing");
  const isOver = current?.reason === "ProgressDeadlineExceeded" || isComplete(deployment, status);
  if (!hasProgressDeadline(deployment) || current === undefined || isOver) return done;
  return requeueAfter(Math.max(0, secondsToDeadline(deployment, now)) + 1);
}

/** Requests from pods that went: where all old ones must go before new ones come, that is news. */
function podsSource({ store }: WorkloadContext): Source {
  return createStoreSource({
    store,
    resource: kinds.pods.stored,
    requestsOf({ object, namespace }, event) {
      if (event?.deleted === undefined) return [];
      const controller = controllerOf(object);
      if (controller?.kind !== kinds.replicaSets.resource.kind) return [];
      const set = findObject(store, kinds.replicaSets, { namespace, name: controller.name });
      const owner = set && controllerOf(set);
      return owner?.kind === kinds.deployments.resource.kind
        ? [{ namespace, name: owner.name }]
        : [];
    },
  });
}

/** Takes one step: old pods go, and when all have gone, new ones come. */
async function recreate(rollout: Rollout): Promise<void> {
  await syncRevision(rollout);
  const active = activeOf(rollout.old);
  for (const set of active) await scaleTo(rollout, set, 0);
  if (active.length > 0 || hasOldPods(rollout)) return;
  const newest = await ensureNewReplicaSet(rollout);
  const { deployment } = rollout;
  if (wanted(newest) !== wanted(deployment)) await scaleTo(rollout, newest, wanted(deployment));
  if (isComplete(rollout.deployment, rollout.deployment.status)) await cleanUp(rollout);
}

/** Pods that are ending still run. */
function hasOldPods({ old, scope }: Rollout): boolean {
  if (replicasOf(old) > 0) return true;
  return old.some((set) => scope.context.pods.of(set).some((pod) => !isFinished(pod)));
}
