import { isBeingDeleted } from "@rookery/runtime";
import type { Pod, StatefulSet } from "../shared/objects.ts";
import { isAvailable, isFinished } from "../shared/pod-state.ts";
import { slowStart } from "../shared/slow-start.ts";
import type { Scope } from "../shared/workload-context.ts";
import { hasStaleClaims, ownersAreWanted, setOwners } from "./set-claims.ts";
import { createSetPod, deleteSetPod, repairSetPod, restoreClaims } from "./set-pod-control.ts";
import { isCreated, isRunningAndReady, isUnavailable, podRevision } from "./set-pods.ts";

/** The input of one step. */
export interface Step {
  readonly set: StatefulSet;
  readonly scope: Scope;
  /** Those that shall be there, by their ordinals; some are only planned. */
  readonly replicas: readonly Pod[];
  /** Those that shall go, the last one first. */
  readonly condemned: readonly Pod[];
}

/** Whether the other pods have to wait for an event. */
type Waits = boolean;

const isOrdered = ({ set }: Step) => set.spec.podManagementPolicy !== "Parallel";

/** Creates what is missing and deletes what is too much, in order or all at once. */
export async function processPods(step: Step): Promise<Waits> {
  const { set, scope, replicas, condemned } = step;
  if (await forEachPod(step, replicas, (pod) => processReplica(step, pod))) return true;
  for (const pod of condemned) {
    if (!ownersAreWanted(set, pod, scope)) await setOwners(set, pod, scope);
  }
  return forEachPod(step, condemned, (pod) => processCondemned(step, pod));
}

async function forEachPod(
  step: Step,
  pods: readonly Pod[],
  process: (pod: Pod) => Promise<Waits>,
): Promise<Waits> {
  if (isOrdered(step)) {
    for (const pod of pods) if (await process(pod)) return true;
    return false;
  }
  const { failure } = await slowStart(pods.length, async (index) => {
    const pod = pods[index];
    if (pod !== undefined) await process(pod);
  });
  if (failure !== undefined) throw failure;
  return false;
}

async function processReplica(step: Step, pod: Pod): Promise<Waits> {
  const { set, scope } = step;
  const target = { set, pod, scope };
  const waits = isOrdered(step);
  if (isFinished(pod)) {
    if (!isBeingDeleted(pod)) await deleteSetPod(target);
    return true;
  }
  if (!isCreated(pod)) {
    if (hasStaleClaims(set, pod, scope)) return true;
    await createSetPod(target);
    return waits;
  }
  if (pod.status.phase === "Pending") await restoreClaims(target);
  if (waits && (isBeingDeleted(pod) || !isServing(step, pod))) return true;
  await repairSetPod(target);
  return false;
}

function isServing({ set, scope }: Step, pod: Pod): boolean {
  const { minReadySeconds = 0 } = set.spec;
  return isRunningAndReady(pod) && isAvailable(pod, minReadySeconds, scope.context.now());
}

/** Of those that shall go, one that does not serve goes only if no other is in a worse state. */
async function processCondemned(step: Step, pod: Pod): Promise<Waits> {
  const waits = isOrdered(step);
  if (isBeingDeleted(pod)) return waits;
  const mayGo = isServing(step, pod) || pod === firstUnavailable(step);
  if (waits && !mayGo) return true;
  await deleteSetPod({ set: step.set, pod, scope: step.scope });
  return true;
}

function firstUnavailable({ set, scope, replicas, condemned }: Step): Pod | undefined {
  const pods = [...replicas, ...condemned.toReversed()];
  return pods.find((pod) => isUnavailable(pod, set, scope.context.now()));
}

/** Deletes the last pod that has an old revision, once all behind it serve. Whether it did. */
export async function updatePods(step: Step, revision: string): Promise<boolean> {
  const { set, scope, replicas } = step;
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type === "OnDelete") return false;
  const now = scope.context.now();
  for (const pod of replicas.slice(rollingUpdate?.partition ?? 0).toReversed()) {
    if (podRevision(pod) !== revision && !isBeingDeleted(pod)) {
      await deleteSetPod({ set, pod, scope });
      return true;
    }
    if (isUnavailable(pod, set, now)) return false;
  }
  return false;
}
