import { messageOf } from "@rookery/errors";
import {
  controllerReferenceTo,
  deepEqual,
  findStatusCause,
  isAlreadyExists,
  isControlledBy,
  objectKeyOf,
} from "@rookery/kube";
import { templateHash } from "../shared/hash.ts";
import { findObject, kinds } from "../shared/kinds.ts";
import { type Deployment, findCondition, type ReplicaSet } from "../shared/objects.ts";
import { emit, warn } from "../shared/workload-context.ts";
import type { Statement } from "./conditions.ts";
import { hasProgressDeadline, newReplicas } from "./policies.ts";
import { hashLabel, isSameTemplate, wanted } from "./replica-sets.ts";
import { newAnnotations, nextRevision, revisionAnnotation, sizeAnnotations } from "./revisions.ts";
import type { Rollout } from "./rollout.ts";

const longestName = 253;

/** Brings the revision of the newest ReplicaSet and its Deployment up to date. */
export async function syncRevision(rollout: Rollout): Promise<void> {
  const { newest, deployment } = rollout;
  if (newest === undefined) return;
  const current = newest.metadata.annotations;
  const annotations = newAnnotations(deployment, nextRevision(rollout.old), current);
  const { minReadySeconds = 0 } = deployment.spec;
  const isSame = deepEqual(annotations, current ?? {});
  if (!isSame || minReadySeconds !== (newest.spec.minReadySeconds ?? 0)) {
    const spec = { ...newest.spec, minReadySeconds };
    await rollout.updateReplicaSet({
      ...newest,
      spec,
      metadata: { ...newest.metadata, annotations },
    });
  }
  const found: Statement = {
    type: "Progressing",
    status: "True",
    reason: "FoundNewReplicaSet",
    message: `Found new replica set "${newest.metadata.name}"`,
  };
  const isKnown = findCondition(deployment.status.conditions, "Progressing") !== undefined;
  const isUnknown = hasProgressDeadline(deployment) && !isKnown;
  await rollout.writeRevision(annotations[revisionAnnotation] ?? "", isUnknown ? found : undefined);
}

/** Makes the ReplicaSet of the wanted template, unless it is there. */
export async function ensureNewReplicaSet(rollout: Rollout): Promise<ReplicaSet> {
  await syncRevision(rollout);
  const { newest, deployment, scope } = rollout;
  if (newest !== undefined) return newest;
  const revision = nextRevision(rollout.old);
  const replicaSet = newReplicaSet(rollout, revision);
  const created = await create(rollout, replicaSet);
  const count = wanted(created);
  const { name } = created.metadata;
  if (count > 0) {
    emit(
      scope,
      deployment,
      "ScalingReplicaSet",
      `Scaled up replica set ${name} from 0 to ${count}`,
    );
  }
  const statement: Statement = {
    type: "Progressing",
    status: "True",
    reason: "NewReplicaSetCreated",
    message: `Created new replica set "${name}"`,
  };
  await rollout.writeRevision(revision, hasProgressDeadline(deployment) ? statement : undefined);
  return created;
}

function newReplicaSet({ deployment, all }: Rollout, revision: string): ReplicaSet {
  const { template = {}, selector, minReadySeconds = 0 } = deployment.spec;
  const { name = "", namespace = "" } = deployment.metadata;
  const hash = templateHash(template, deployment.status.collisionCount);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name.slice(0, longestName - hash.length - 1)}-${hash}`,
      namespace,
      labels,
      annotations: { ...newAnnotations(deployment, revision), ...sizeAnnotations(deployment) },
      ownerReferences: [controllerReferenceTo(deployment)],
    },
    spec: {
      replicas: newReplicas(deployment, all, 0),
      ...(minReadySeconds > 0 && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
    status: { replicas: 0 },
  };
}

async function create(rollout: Rollout, replicaSet: ReplicaSet): Promise<ReplicaSet> {
  try {
    return await rollout.createReplicaSet(replicaSet);
  } catch (error) {
    if (isAlreadyExists(error)) await countCollision(rollout, replicaSet);
    else if (!findStatusCause(error, "NamespaceTerminating"))
      await reportFailure(rollout, replicaSet, error);
    throw error;
  }
}

/** Another template has the same hash: with another count there will be another one. */
async function countCollision(rollout: Rollout, set: ReplicaSet): Promise<void> {
  const { deployment, scope } = rollout;
  const taken = findObject(scope.context.store, kinds.replicaSets, objectKeyOf(set));
  if (taken === undefined || isOurs(taken, deployment)) return;
  const { status } = deployment;
  await rollout.updateStatus({ ...status, collisionCount: (status.collisionCount ?? 0) + 1 });
}

function isOurs(replicaSet: ReplicaSet, deployment: Deployment): boolean {
  const { template = {} } = deployment.spec;
  const isSame = isSameTemplate(replicaSet.spec.template ?? {}, template);
  return isControlledBy(replicaSet, deployment) && isSame;
}

async function reportFailure(rollout: Rollout, set: ReplicaSet, error: unknown): Promise<void> {
  const { deployment, scope } = rollout;
  const reason = "ReplicaSetCreateError";
  const message = `Failed to create new replica set "${set.metadata.name}": ${messageOf(error)}`;
  if (hasProgressDeadline(deployment)) {
    const conditions = rollout.conditionsWith({
      type: "Progressing",
      status: "False",
      reason,
      message,
    });
    await rollout.updateStatus({ ...deployment.status, conditions });
  }
  warn(scope, deployment, reason, message);
}
