import type { DeploymentStatus } from "@rookery/api";
import type { Deployment, ReplicaSet } from "../shared/objects.ts";
import { scaledValue } from "../shared/scaled-value.ts";
import { availableOf, specReplicasOf, wanted } from "./replica-sets.ts";

/** The value that means "never". */
const never = 2 ** 31 - 1;

export function isRollingUpdate({ spec }: Deployment): boolean {
  return spec.strategy?.type === "RollingUpdate";
}

/** How many pods may be missing, and how many may be too many; not both none, or nothing could move. */
function fenceposts({ spec }: Deployment): { surge: number; unavailable: number } {
  const { maxSurge, maxUnavailable } = spec.strategy?.rollingUpdate ?? {};
  const surge = scaledValue(maxSurge, spec.replicas ?? 1, "up");
  const unavailable = scaledValue(maxUnavailable, spec.replicas ?? 1, "down");
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

export function maxSurge(deployment: Deployment): number {
  return isRollingUpdate(deployment) ? fenceposts(deployment).surge : 0;
}

export function maxUnavailable(deployment: Deployment): number {
  if (!isRollingUpdate(deployment)) return 0;
  return Math.min(fenceposts(deployment).unavailable, wanted(deployment));
}

/** How many pods the newest ReplicaSet may have now. */
export function newReplicas(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  current: number,
): number {
  if (!isRollingUpdate(deployment)) return wanted(deployment);
  const surge = scaledValue(
    deployment.spec.strategy?.rollingUpdate?.maxSurge,
    wanted(deployment),
    "up",
  );
  const allowed = wanted(deployment) + surge - specReplicasOf(all);
  return current + Math.max(0, Math.min(allowed, wanted(deployment) - current));
}

/** How many pods of older ReplicaSets may go, without those that serve becoming too few. */
export function maxScaledDown(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  current: ReplicaSet,
): number {
  const minAvailable = wanted(deployment) - maxUnavailable(deployment);
  const notYetAvailable = wanted(current) - availableOf([current]);
  return specReplicasOf(all) - minAvailable - notYetAvailable;
}

export function hasProgressDeadline({ spec }: Deployment): boolean {
  const { progressDeadlineSeconds } = spec;
  return progressDeadlineSeconds !== undefined && progressDeadlineSeconds !== never;
}

export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0 } = status;
  const isEach = [updatedReplicas, replicas, availableReplicas].every(
    (count) => count === wanted(deployment),
  );
  return isEach && (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0);
}

/** Whether a state is nearer to the end than the one before. */
export function isProgressing({ status: old }: Deployment, status: DeploymentStatus): boolean {
  const outdated = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) =>
    replicas - updatedReplicas;
  const grows = (key: "updatedReplicas" | "readyReplicas" | "availableReplicas") =>
    (status[key] ?? 0) > (old[key] ?? 0);
  return (
    grows("updatedReplicas") ||
    outdated(status) < outdated(old) ||
    grows("readyReplicas") ||
    grows("availableReplicas")
  );
}
