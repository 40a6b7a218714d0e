import type { Deployment, ReplicaSet } from "../shared/objects.ts";
import { emit } from "../shared/workload-context.ts";
import { isRollingUpdate, maxSurge } from "./policies.ts";
import {
  activeOf,
  availableOf,
  largestFirst,
  oldestFirst,
  specReplicasOf,
  wanted,
} from "./replica-sets.ts";
import { desiredReplicas, maxReplicas, sizeAnnotations } from "./revisions.ts";
import type { Rollout } from "./rollout.ts";

/** Whether the Deployment has another size than when its ReplicaSets were last scaled. */
export function isScalingEvent({ deployment, all }: Rollout): boolean {
  return activeOf(all).some((set) => {
    const desired = desiredReplicas(set);
    return desired !== undefined && desired !== wanted(deployment);
  });
}

/** Scales a ReplicaSet and records an event. Returns whether the size changed. */
export async function scaleTo(rollout: Rollout, set: ReplicaSet, size: number): Promise<boolean> {
  const { deployment, scope } = rollout;
  const before = wanted(set);
  const annotations = sizeAnnotations(deployment);
  const isNoted = Object.entries(annotations).every(
    ([key, value]) => set.metadata.annotations?.[key] === value,
  );
  if (before === size && isNoted) return false;
  const metadata = {
    ...set.metadata,
    annotations: { ...set.metadata.annotations, ...annotations },
  };
  await rollout.updateReplicaSet({ ...set, metadata, spec: { ...set.spec, replicas: size } });
  if (before === size) return false;
  const direction = before < size ? "up" : "down";
  const note = `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${size}`;
  emit(scope, deployment, "ScalingReplicaSet", note);
  return true;
}

/** Brings all ReplicaSets together to the size of the Deployment, each by its share. */
export async function scale(rollout: Rollout): Promise<void> {
  const { deployment, newest, old } = rollout;
  const single = activeOrLatest(rollout);
  if (single !== undefined) {
    if (wanted(single) !== wanted(deployment)) await scaleTo(rollout, single, wanted(deployment));
    return;
  }
  if (newest !== undefined && isSaturated(deployment, newest)) {
    for (const set of activeOf(old)) await scaleTo(rollout, set, 0);
    return;
  }
  if (isRollingUpdate(deployment)) await scaleInProportion(rollout);
}

/** The only ReplicaSet that has pods, or the last one that had; undefined where several have. */
function activeOrLatest({ all, newest, old }: Rollout): ReplicaSet | undefined {
  const active = activeOf(all);
  if (active.length > 1) return undefined;
  return active[0] ?? newest ?? oldestFirst(old).at(-1);
}

function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const counts = [wanted(set), desiredReplicas(set), availableOf([set])];
  return counts.every((count) => count === wanted(deployment));
}

async function scaleInProportion(rollout: Rollout): Promise<void> {
  const { deployment, all } = rollout;
  const isGone = wanted(deployment) === 0;
  const allowed = isGone ? 0 : wanted(deployment) + maxSurge(deployment);
  const missing = allowed - specReplicasOf(activeOf(all));
  const sets = largestFirst(activeOf(all), missing < 0 ? "older" : "newer");
  for (const [set, size] of shares(deployment, sets, missing)) await scaleTo(rollout, set, size);
}

/** The sizes of all; what rounding leaves over is the first one's. */
export function shares(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  missing: number,
): Map<ReplicaSet, number> {
  const sizes = new Map(sets.map((set) => [set, wanted(set)]));
  if (missing === 0) return sizes;
  let left = missing;
  for (const set of sets) {
    const fraction = fractionOf(set, deployment);
    const share = missing > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
    const taken = left === 0 ? 0 : share;
    sizes.set(set, wanted(set) + taken);
    left -= taken;
  }
  const [first] = sets;
  if (first) sizes.set(first, Math.max(0, (sizes.get(first) ?? 0) + left));
  return sizes;
}

/** By how much a ReplicaSet would grow if it grew as its Deployment did. */
function fractionOf(set: ReplicaSet, deployment: Deployment): number {
  if (wanted(deployment) === 0) return -wanted(set);
  const before = maxReplicas(set) || deployment.status.replicas || 0;
  if (before === 0) return 0;
  const size = (wanted(set) * (wanted(deployment) + maxSurge(deployment))) / before;
  return Math.round(size) - wanted(set);
}
