import type { Cluster, Machine } from "@rookery/api";
import { clusterNameLabel, controlPlaneLabel } from "@rookery/cluster-api";
import { controllerOf, hasOwnerReference, withOwnerReference } from "@rookery/kube";

export function isControlPlaneMachine({ metadata }: Machine): boolean {
  return controlPlaneLabel in (metadata.labels ?? {});
}

export function hasNode({ status }: Machine): boolean {
  return Boolean(status?.nodeRef?.name);
}

export function isOwnedBy(machine: Machine, cluster: Cluster): boolean {
  return hasOwnerReference(machine, cluster);
}

/** Who makes machines marks them; such machines are not the Cluster's own. */
const makers = [
  "cluster.x-k8s.io/set-name",
  "cluster.x-k8s.io/pool-name",
  "cluster.x-k8s.io/control-plane-name",
];

/** The machine with the label of its cluster, and owned by it where nobody else made it. */
export function adopted(machine: Machine, cluster: Cluster): Machine {
  const labels = { ...machine.metadata.labels, [clusterNameLabel]: machine.spec.clusterName };
  const labelled = { ...machine, metadata: { ...machine.metadata, labels } };
  const isMade = controllerOf(machine) || makers.some((maker) => maker in labels);
  return isMade || isOwnedBy(machine, cluster) ? labelled : withOwnerReference(labelled, cluster);
}

/** The annotations that begin with a word, in order: hooks that somebody waits with. */
export function hooksOf({ metadata }: Machine, prefix: string): string[] {
  return Object.keys(metadata.annotations ?? {})
    .filter((name) => name.startsWith(prefix))
    .sort();
}
