import type { ReplicaSetCondition, ReplicaSetStatus } from "@rookery/api";
import { formatTime } from "@rookery/kube";
import type { Pod, ReplicaSet } from "../shared/objects.ts";
import { isAvailable, isReady } from "../shared/pod-state.ts";

export interface ObservedReplicas {
  readonly pods: readonly Pod[];
  readonly now: Date;
  /** Why pods could not be created or deleted. */
  readonly failure: string | undefined;
}

export function replicaSetStatus(
  replicaSet: ReplicaSet,
  observed: ObservedReplicas,
): ReplicaSetStatus {
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
