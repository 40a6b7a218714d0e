import type { ReplicaSetCondition, ReplicaSetStatus } from "@rookery/api";
import { messageOf } from "@rookery/errors";
import { controllerOf, formatTime } from "@rookery/kube";
import { type Controller, done, type Result, requeue, requeueAfter } from "@rookery/runtime";
import { claim } from "../shared/claim.ts";
import { findObject, kinds } from "../shared/kinds.ts";
import { writeStatus } from "../shared/object-writer.ts";
import type { Pod, ReplicaSet, Stored } from "../shared/objects.ts";
import { createPod, deletePod, podOf } from "../shared/pod-control.ts";
import { compareRanked } from "../shared/pod-order.ts";
import { isActive, isAvailable, isReady, nextAvailability } from "../shared/pod-state.ts";
import { slowStart } from "../shared/slow-start.ts";
import type { Scope, WorkloadContext } from "../shared/workload-context.ts";
import { createWorkloadController } from "../shared/workload-controller.ts";

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
    failure: failure === undefined ? undefined : messageOf(failure),
  });
  await writeStatus(replicaSet, { kind: kinds.replicaSets, status }, scope);
  if (failure !== undefined) return requeue;
  const { minReadySeconds = 0 } = spec;
  if (minReadySeconds === 0 || status.readyReplicas === status.availableReplicas) return done;
  return requeueAfter(nextAvailability(pods, minReadySeconds, now) ?? minReadySeconds);
}

interface ObservedReplicas {
  readonly pods: readonly Pod[];
  readonly now: Date;
  /** Why pods could not be created or deleted. */
  readonly failure: string | undefined;
}

function replicaSetStatus(replicaSet: ReplicaSet, observed: ObservedReplicas): ReplicaSetStatus {
  const { spec, metadata } = replicaSet;
  const { pods, now } = observed;
  const templateLabels = Object.entries(spec.template?.metadata?.labels ?? {});
  const isLabeled = (pod: Pod) =>
    templateLabels.every(([key, value]) => pod.metadata.labels?.[key] === value);
  const conditions = conditionsOf(replicaSet, observed);
  return {
    replicas: pods.length,
    fullyLabeledReplicas: pods.filter(isLabeled).length,
    readyReplicas: pods.filter(isReady).length,
    availableReplicas: pods.filter((pod) => isAvailable(pod, spec.minReadySeconds ?? 0, now))
      .length,
    ...(metadata.generation !== undefined && { observedGeneration: metadata.generation }),
    ...(conditions.length > 0 && { conditions }),
  };
}

/** A failure that goes on keeps its first words. */
function conditionsOf(
  { spec, status }: ReplicaSet,
  { pods, failure, now }: ObservedReplicas,
): ReplicaSetCondition[] {
  const type = "ReplicaFailure";
  const { conditions = [] } = status;
  if (failure === undefined) return conditions.filter((condition) => condition.type !== type);
  if (conditions.some((condition) => condition.type === type)) return conditions;
  const isMissing = pods.length < (spec.replicas ?? 1);
  const reason = isMissing ? "FailedCreate" : "FailedDelete";
  const lastTransitionTime = formatTime(now);
  return [...conditions, { type, status: "True", lastTransitionTime, reason, message: failure }];
}

/** The most pods that one reconcile creates or deletes. */
const burst = 500;

/** Creates the pods that are missing, or deletes those that are too many. Returns a failure. */
async function manageReplicas(
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
