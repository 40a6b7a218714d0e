import type { ReplicaSet } from "../shared/objects.ts";
import { cleanUp } from "./clean-up.ts";
import { ensureNewReplicaSet } from "./new-replica-set.ts";
import { isComplete, maxScaledDown, maxUnavailable, newReplicas } from "./policies.ts";
import { activeOf, availableOf, oldestFirst, wanted } from "./replica-sets.ts";
import type { Rollout } from "./rollout.ts";
import { scaleTo } from "./scale.ts";

/** Takes one step: new pods first, then old ones go, then old ReplicaSets. */
export async function rollingUpdate(rollout: Rollout): Promise<void> {
  const newest = await ensureNewReplicaSet(rollout);
  if (await scaleUp(rollout, newest)) return;
  if (await scaleDownOld(rollout, newest)) return;
  const { deployment } = rollout;
  if (isComplete(deployment, deployment.status)) await cleanUp(rollout);
}

async function scaleUp(rollout: Rollout, newest: ReplicaSet): Promise<boolean> {
  const { deployment, all } = rollout;
  const size = wanted(newest);
  if (size === wanted(deployment)) return false;
  const isTooLarge = size > wanted(deployment);
  const next = isTooLarge ? wanted(deployment) : newReplicas(deployment, all, size);
  return next !== size && (await scaleTo(rollout, newest, next));
}

async function scaleDownOld(rollout: Rollout, newest: ReplicaSet): Promise<boolean> {
  const allowed = maxScaledDown(rollout.deployment, rollout.all, newest);
  if (activeOf(rollout.old).length === 0 || allowed <= 0) return false;
  const unhealthy = await scaleDownUnhealthy(rollout, allowed);
  const healthy = await scaleDownHealthy(rollout);
  return unhealthy + healthy > 0;
}

/** Pods that do not serve are not missed. */
async function scaleDownUnhealthy(rollout: Rollout, allowed: number): Promise<number> {
  let total = 0;
  for (const set of oldestFirst(activeOf(rollout.old))) {
    const count = Math.min(allowed - total, wanted(set) - availableOf([set]));
    if (count <= 0) continue;
    await scaleTo(rollout, set, wanted(set) - count);
    total += count;
  }
  return total;
}

async function scaleDownHealthy(rollout: Rollout): Promise<number> {
  const { deployment } = rollout;
  const minAvailable = wanted(deployment) - maxUnavailable(deployment);
  const allowed = availableOf(rollout.all) - minAvailable;
  let total = 0;
  for (const set of oldestFirst(activeOf(rollout.old))) {
    const count = Math.min(wanted(set), allowed - total);
    if (count <= 0) break;
    await scaleTo(rollout, set, wanted(set) - count);
    total += count;
  }
  return total;
}
