import type { Cluster, Machine } from "@rookery/api";
import { fieldOf } from "@rookery/cluster-api";
import { isBeingDeleted } from "@rookery/runtime";
import { hasNode, isControlPlaneMachine } from "../policies.ts";
import type { MachineScope } from "../scope.ts";

/**
 * Whether the node of a Machine is drained and deleted. It is not while the Cluster or its control plane is being
 * deleted, nor without a control plane Machine left to serve the API. Rejects where the control plane cannot be read.
 */
export async function mayDeleteNode(
  machine: Machine,
  cluster: Cluster,
  { externals, listMachines }: Pick<MachineScope, "externals" | "listMachines">,
): Promise<boolean> {
  if (isBeingDeleted(cluster) || !hasNode(machine)) return false;
  const { controlPlaneRef } = cluster.spec;
  const controlPlane = await externals.find(controlPlaneRef, cluster.metadata.namespace);
  if (controlPlane.outcome === "failed") throw controlPlane.error;
  if (controlPlane.outcome === "found") {
    if (isBeingDeleted(controlPlane.object)) return false;
    const path = ["status", "externalManagedControlPlane"];
    if (fieldOf(controlPlane.object, path) === true) return true;
  }
  const machines = await listMachines(cluster);
  return machines.some((one) => isControlPlaneMachine(one) && !isBeingDeleted(one));
}
