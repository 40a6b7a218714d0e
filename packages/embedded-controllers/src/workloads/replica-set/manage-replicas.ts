import { controllerOf } from "@rookery/kube";
import { findObject, kinds } from "../shared/kinds.ts";
import type { Pod, ReplicaSet, Stored } from "../shared/objects.ts";
import { createPod, deletePod, podOf } from "../shared/pod-control.ts";
import { compareRanked } from "../shared/pod-order.ts";
import { isActive } from "../shared/pod-state.ts";
import { slowStart } from "../shared/slow-start.ts";
import type { Scope } from "../shared/workload-context.ts";

/** How many pods are made or deleted before the state is looked at again. */
const burst = 500;

/** Creates the pods that are missing, or deletes those that are too many. Returns a failure. */
export async function manageReplicas(
  replicaSet: ReplicaSet,
  pods: readonly Pod[],
  scope: Scope,
): Promise<unknown> {
  const { replicas = 1, template = {} } = replicaSet.spec;
  const missing = replicas - pods.length;
  if (missing > 0) {
    const create = () => createPod(replicaSet, podOf(replicaSet, template), scope);
    return (await slowStart(Math.min(missing, burst), create)).failure;
  }
  const condemned = podsToDelete(replicaSet, pods, scope).slice(0, Math.min(-missing, burst));
  const outcomes = await Promise.allSettled(
    condemned.map((pod) => deletePod(replicaSet, pod, scope)),
  );
  return outcomes.find((outcome) => outcome.status === "rejected")?.reason;
}

function podsToDelete(replicaSet: ReplicaSet, pods: readonly Pod[], scope: Scope): Pod[] {
  const related = relatedPods(replicaSet, scope);
  const byNode = new Map<string, number>();
  for (const { spec } of related.filter(isActive)) {
    const node = spec.nodeName ?? "";
    byNode.set(node, (byNode.get(node) ?? 0) + 1);
  }
  const ranks = new Map(pods.map((pod) => [pod, byNode.get(pod.spec.nodeName ?? "") ?? 0]));
  return pods.toSorted(compareRanked(ranks, scope.context.now()));
}

/** Those of all ReplicaSets of the same owner. */
function relatedPods(replicaSet: ReplicaSet, { context }: Scope): Pod[] {
  const owner = ownerOf(replicaSet, context);
  const siblings = owner === undefined ? [replicaSet] : context.replicaSets.of(owner);
  return siblings.flatMap((sibling) => context.pods.of(sibling));
}

function ownerOf(replicaSet: ReplicaSet, { store }: Scope["context"]): Stored | undefined {
  const controller = controllerOf(replicaSet);
  if (controller?.kind !== kinds.deployments.resource.kind) return undefined;
  const { namespace = "" } = replicaSet.metadata;
  return findObject(store, kinds.deployments, { namespace, name: controller.name });
}
