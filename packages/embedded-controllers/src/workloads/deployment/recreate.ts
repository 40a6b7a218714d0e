import { isFinished } from "../shared/pod-state.ts";
import { cleanUp } from "./clean-up.ts";
import { ensureNewReplicaSet, syncRevision } from "./new-replica-set.ts";
import { isComplete } from "./policies.ts";
import { activeOf, replicasOf, wanted } from "./replica-sets.ts";
import type { Rollout } from "./rollout.ts";
import { scaleTo } from "./scale.ts";

/** Takes one step: old pods go, and when all have gone, new ones come. */
export async function recreate(rollout: Rollout): Promise<void> {
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
