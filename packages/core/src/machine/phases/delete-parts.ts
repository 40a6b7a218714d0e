import type { Cluster, Machine } from "@rookery/api";
import { ignoreNotFound } from "@rookery/client";
import { fieldOf } from "@rookery/cluster-api";
import { isBeingDeleted } from "@rookery/runtime";
import type { Lookup } from "../../contract/externals.ts";
import { NotConnectedError } from "../../errors.ts";
import { seeLog } from "../../names.ts";
import { nodes } from "../../resources.ts";
import { type DeletionStep, deletionCompleted, failing, waiting } from "../../steps.ts";
import { hasNode, hooksOf, isControlPlaneMachine, isOverdue } from "../policies.ts";
import type { MachineScope, ObservedMachine } from "../scope.ts";
import { emptyNode, type MachineDeletionStep } from "./empty-node.ts";

type Found = Pick<ObservedMachine, "cluster" | "bootstrap" | "infrastructure">;

/** Deletes what a Machine consists of: empties its node, then deletes infrastructure, bootstrap and node. */
export async function deleteParts(
  machine: Machine,
  found: Found,
  scope: MachineScope,
): Promise<MachineDeletionStep> {
  let isNodeDeleted: boolean;
  try {
    isNodeDeleted = await mayDeleteNode(machine, found.cluster, scope);
  } catch (error) {
    return failing("InternalError", seeLog, error);
  }
  const emptied = isNodeDeleted ? await emptyNode(machine, found.cluster, scope) : undefined;
  if (emptied && !emptied.isOver) return emptied;
  const deletion = emptied?.deletion ?? machine.status?.deletion;
  const rest = await deleteRest(machine, found, { ...scope, isNodeDeleted });
  return { ...rest, deletion };
}

async function deleteRest(
  machine: Machine,
  { cluster, infrastructure, bootstrap }: Found,
  scope: MachineScope & { readonly isNodeDeleted: boolean },
): Promise<DeletionStep> {
  const hooks = hooksOf(machine, "pre-terminate.delete.hook.machine.cluster.x-k8s.io");
  if (hooks.length > 0) {
    const message = `Waiting for pre-terminate hooks to succeed (hooks: ${hooks.join()})`;
    return waiting("WaitingForPreTerminateHook", message);
  }
  const { infrastructureRef, bootstrap: wanted } = machine.spec;
  const { configRef } = wanted;
  return (
    (await deletePart(infrastructure, { part: "Infrastructure", ...infrastructureRef }, scope)) ??
    (configRef && (await deletePart(bootstrap, { part: "Bootstrap", ...configRef }, scope))) ??
    (scope.isNodeDeleted ? await deleteNode(machine, cluster, scope) : undefined) ??
    deletionCompleted
  );
}

/** Undefined where the part is gone. */
async function deletePart(
  lookup: Lookup,
  { part, kind }: { readonly part: "Infrastructure" | "Bootstrap"; readonly kind: string },
  { externals }: MachineScope,
): Promise<DeletionStep | undefined> {
  if (lookup.outcome === "missing") return undefined;
  if (lookup.outcome === "found") {
    try {
      await externals.remove(lookup);
    } catch (error) {
      const message = `Failed to delete ${kind}, please check controller logs for errors`;
      return failing("InternalError", message, error);
    }
  }
  return waiting(`WaitingFor${part}Deletion`, `Waiting for ${kind} to be deleted`);
}

/** Undefined where the node is gone, or the time to delete it is over. */
async function deleteNode(
  { metadata, spec, status }: Machine,
  cluster: Found["cluster"],
  { workloadClient, clock }: MachineScope,
): Promise<DeletionStep | undefined> {
  try {
    const client = workloadClient(cluster);
    if (!client) throw new NotConnectedError(spec.clusterName);
    await ignoreNotFound(client.resource(nodes).delete({ name: status?.nodeRef?.name ?? "" }));
    return undefined;
  } catch (error) {
    const limit = spec.deletion?.nodeDeletionTimeoutSeconds;
    if (isOverdue(metadata.deletionTimestamp, limit, clock)) return undefined;
    const message = "Error deleting Node, please check controller logs for errors";
    return failing("DeletingNode", message, error);
  }
}

/**
 * Whether the node of a Machine is drained and deleted. It is not while the Cluster or its control plane is being
 * deleted, nor without a control plane Machine left to serve the API. Rejects where the control plane cannot be read.
 */
async function mayDeleteNode(
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
