import type { Cluster, Machine } from "@rookery/api";
import { clusterApiGroup, clusterNameLabel, controlPlaneLabel } from "@rookery/cluster-api";
import {
  type Clock,
  controllerOf,
  hasOwnerReference,
  isControlledBy,
  type KubeObject,
  labelSelectorFromSet,
  type ObjectKey,
  type OwnerReference,
  withControllerReference,
  withOwnerReference,
} from "@rookery/kube";

/** The query for the Machines with the label of a Cluster. */
export function machinesOf({ namespace = "", name }: ObjectKey) {
  return { namespace, labels: labelSelectorFromSet({ [clusterNameLabel]: name }) };
}

export function isControlPlaneMachine({ metadata }: Machine): boolean {
  return controlPlaneLabel in (metadata.labels ?? {});
}

export function hasNode({ status }: Machine): boolean {
  return Boolean(status?.nodeRef?.name);
}

export function isOwnedBy(machine: Machine, cluster: Cluster): boolean {
  return hasOwnerReference(machine, cluster);
}

/** Labels of Machines that another object makes; such Machines are not the Cluster's own. */
const makerLabels = [
  "cluster.x-k8s.io/set-name",
  "cluster.x-k8s.io/pool-name",
  "cluster.x-k8s.io/control-plane-name",
];

/** The Machine with the label of its Cluster, and owned by it unless another object makes it. */
export function adopted(machine: Machine, cluster: Cluster): Machine {
  const labels = { ...machine.metadata.labels, [clusterNameLabel]: machine.spec.clusterName };
  const labelled = { ...machine, metadata: { ...machine.metadata, labels } };
  const isMade = controllerOf(machine) || makerLabels.some((label) => label in labels);
  return isMade || isOwnedBy(machine, cluster) ? labelled : withOwnerReference(labelled, cluster);
}

/** The part with the Machine as its controller, and without the owners that made it for the Machine. */
export function withMachine(part: KubeObject, machine: Machine, cluster: Cluster): KubeObject {
  const { ownerReferences = [] } = part.metadata;
  const kept = ownerReferences.filter((owner) => !isMaker(owner, machine, cluster));
  if (kept.length === ownerReferences.length && isControlledBy(part, machine)) return part;
  const free = { ...part, metadata: { ...part.metadata, ownerReferences: kept } };
  return withControllerReference(free, machine);
}

/** A MachineSet, or the control plane of a control plane Machine: both own the Machine itself. */
function isMaker(
  { apiVersion, kind }: OwnerReference,
  machine: Machine,
  { spec: { controlPlaneRef } }: Cluster,
): boolean {
  const group = apiVersion.split("/")[0];
  if (group === clusterApiGroup && kind === "MachineSet") return true;
  const isControlPlane = group === controlPlaneRef?.apiGroup && kind === controlPlaneRef?.kind;
  return isControlPlane && isControlPlaneMachine(machine);
}

/** Whether a step of a deletion has exceeded its limit; a step without a limit never does. */
export function isOverdue(
  started: string | undefined,
  seconds: number | undefined,
  clock: Clock,
): boolean {
  if (!started || !seconds) return false;
  return clock().getTime() - Date.parse(started) >= seconds * 1000;
}

/** The annotations with a prefix, sorted: hooks that the deletion waits for. */
export function hooksOf({ metadata }: Machine, prefix: string): string[] {
  return Object.keys(metadata.annotations ?? {})
    .filter((name) => name.startsWith(prefix))
    .sort();
}
