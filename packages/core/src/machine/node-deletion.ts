import type { Cluster, Machine } from "@rookery/api";
import { fieldOf } from "@rookery/cluster-api";
import { isBeingDeleted } from "@rookery/runtime";
import { hasNode, isControlPlaneMachine } from "./policies.ts";
import type { MachineDependencies } from "./scope.ts";

/**
 * Whether the node of a machine is drained and deleted. It is not where that would be in vain: the
 * whole cluster goes, or its control plane, or there is nobody left to ask. Rejects where the control
 * plane can't be read.
 */
export async function mayDeleteNode(
  machine: Machine,
  cluster: Cluster,
  { externals, listMachines }: MachineDependencies,
  signal: AbortSignal,
): Promise<boolean> {
  if (isBeingDeleted(cluster) || !hasNode(machine)) return false;
  const { controlPlaneRef } = cluster.spec;
  const controlPlane = await externals.find(controlPlaneRef, cluster.metadata.namespace, signal);
  if (controlPlane.outcome === "failed") throw controlPlane.error;
  if (controlPlane.outcome === "found") {
    if (isBeingDeleted(controlPlane.object)) return false;
    const path = ["status", "externalManagedControlPlane"];
    if (fieldOf(controlPlane.object, path) === true) return true;
  }
  const machines = await listMachines(cluster);
  return machines.some((one) => isControlPlaneMachine(one) && !isBeingDeleted(one));
}
