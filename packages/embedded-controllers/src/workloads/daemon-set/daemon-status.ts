import type { DaemonSetStatus } from "@rookery/api";
import type { Pod } from "../shared/objects.ts";
import { isAvailable, isReady } from "../shared/pod-state.ts";
import { comparePods, fitOf, isUpdated } from "./daemon-pods.ts";
import type { Daemons } from "./manage-nodes.ts";

/** The counts of nodes, by whether they shall have a pod and how the one is that they have. */
export function daemonStatus(daemons: Daemons): DaemonSetStatus {
  const { set, nodes, pods, hash, scope } = daemons;
  const podsOn = (name: string | undefined) => pods.get(name ?? "") ?? [];
  const wanting = nodes.filter((node) => fitOf(set, node).shallRun);
  const others = nodes.filter((node) => !fitOf(set, node).shallRun);
  const first = wanting.flatMap(({ metadata }) => {
    const [pod] = podsOn(metadata.name).toSorted(comparePods);
    return pod ?? [];
  });
  const isServing = (pod: Pod) =>
    isAvailable(pod, set.spec.minReadySeconds ?? 0, scope.context.now());
  const numberAvailable = first.filter(isServing).length;
  const { collisionCount } = set.status;
  return {
    currentNumberScheduled: first.length,
    numberMisscheduled: others.filter(({ metadata }) => podsOn(metadata.name).length > 0).length,
    desiredNumberScheduled: wanting.length,
    numberReady: first.filter(isReady).length,
    observedGeneration: set.metadata.generation ?? 0,
    updatedNumberScheduled: first.filter((pod) => isUpdated(pod, set, hash)).length,
    numberAvailable,
    numberUnavailable: wanting.length - numberAvailable,
    ...(collisionCount !== undefined && { collisionCount }),
  };
}
