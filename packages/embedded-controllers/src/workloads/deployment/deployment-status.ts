import type { DeploymentCondition, DeploymentStatus } from "@rookery/api";
import { type Deployment, findCondition, type ReplicaSet } from "../shared/objects.ts";
import { conditionOf, type Statement, withCondition, withoutCondition } from "./conditions.ts";
import { hasProgressDeadline, isComplete, isProgressing, maxUnavailable } from "./policies.ts";
import { availableOf, readyOf, replicasOf, specReplicasOf, wanted } from "./replica-sets.ts";

export interface Observed {
  readonly all: readonly ReplicaSet[];
  readonly newest: ReplicaSet | undefined;
  readonly now: Date;
}

/** The counts, and whether enough pods serve. */
export function deploymentStatus(deployment: Deployment, observed: Observed): DeploymentStatus {
  const { all, newest, now } = observed;
  const { status, metadata } = deployment;
  const availableReplicas = availableOf(all);
  const { collisionCount } = status;
  const isEnough = availableReplicas >= wanted(deployment) - maxUnavailable(deployment);
  return {
    observedGeneration: metadata.generation ?? 0,
    replicas: replicasOf(all),
    updatedReplicas: newest ? replicasOf([newest]) : 0,
    readyReplicas: readyOf(all),
    availableReplicas,
    unavailableReplicas: Math.max(0, specReplicasOf(all) - availableReplicas),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: withCondition(
      status.conditions ?? [],
      conditionOf(isEnough ? available : unavailable, now),
    ),
  };
}

const available: Statement = {
  type: "Available",
  status: "True",
  reason: "MinimumReplicasAvailable",
  message: "Deployment has minimum availability.",
};

const unavailable: Statement = {
  type: "Available",
  status: "False",
  reason: "MinimumReplicasUnavailable",
  message: "Deployment does not have minimum availability.",
};

/** As above, with how far a rollout has come, and what keeps its pods from being made. */
export function rolloutStatus(deployment: Deployment, observed: Observed): DeploymentStatus {
  const status = deploymentStatus(deployment, observed);
  const conditions = hasProgressDeadline(deployment)
    ? withProgress(deployment, status, observed)
    : withoutCondition(status.conditions ?? [], "Progressing");
  return { ...status, conditions: withFailure(conditions, observed) };
}

function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  observed: Observed,
): readonly DeploymentCondition[] {
  const { conditions = [] } = status;
  const current = findCondition(deployment.status.conditions, "Progressing");
  const isDone = current?.reason === "NewReplicaSetAvailable";
  if (isDone && status.replicas === status.updatedReplicas) return conditions;
  const statement = progressOf(deployment, status, observed);
  if (statement === undefined) return conditions;
  const condition = conditionOf(statement, observed.now);
  if (statement.reason !== "ReplicaSetUpdated" || current === undefined) {
    return withCondition(conditions, condition);
  }
  // Each step forward counts from now on, also where the words are the same.
  const isStillTrue = current.status === "True" && current.lastTransitionTime;
  return [
    ...withoutCondition(conditions, "Progressing"),
    { ...condition, ...(isStillTrue && { lastTransitionTime: isStillTrue }) },
  ];
}

function progressOf(
  deployment: Deployment,
  status: DeploymentStatus,
  { newest, now }: Observed,
): Statement | undefined {
  const what = newest
    ? `ReplicaSet "${newest.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`;
  const type = "Progressing";
  if (isComplete(deployment, status)) {
    const message = `${what} has successfully progressed.`;
    return { type, status: "True", reason: "NewReplicaSetAvailable", message };
  }
  if (isProgressing(deployment, status)) {
    const message = `${what} is progressing.`;
    return { type, status: "True", reason: "ReplicaSetUpdated", message };
  }
  if (!isTimedOut(deployment, now)) return undefined;
  const message = `${what} has timed out progressing.`;
  return { type, status: "False", reason: "ProgressDeadlineExceeded", message };
}

function isTimedOut(deployment: Deployment, now: Date): boolean {
  const current = findCondition(deployment.status.conditions, "Progressing");
  if (current === undefined || current.reason === "NewReplicaSetAvailable") return false;
  if (current.reason === "ProgressDeadlineExceeded") return true;
  return secondsToDeadline(deployment, now) < 0;
}

/** Until the rollout should have moved on, counted from its last step. */
export function secondsToDeadline({ spec, status }: Deployment, now: Date): number {
  const current = findCondition(status.conditions, "Progressing");
  const since = Date.parse(current?.lastUpdateTime ?? "") || 0;
  return (since - now.getTime()) / 1000 + (spec.progressDeadlineSeconds ?? 0);
}

function withFailure(conditions: readonly DeploymentCondition[], { all, newest }: Observed) {
  const failures = [...(newest ? [newest] : []), ...all].flatMap(({ status }) =>
    (status.conditions ?? []).filter(({ type }) => type === "ReplicaFailure"),
  );
  const [failure] = failures;
  if (failure === undefined) return withoutCondition(conditions, "ReplicaFailure");
  const { lastTransitionTime } = failure;
  const lastUpdateTime = lastTransitionTime && { lastUpdateTime: lastTransitionTime };
  return withCondition(conditions, { ...failure, ...lastUpdateTime });
}
