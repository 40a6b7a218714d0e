import type { Cluster, Machine } from "@rookery/api";
import { fieldOf } from "@rookery/cluster-api";
import { isBeingDeleted } from "@rookery/runtime";
import type { Lookup } from "../../contract/externals.ts";
import { NodeError } from "../../errors.ts";
import { type Node, nodeWith } from "../node.ts";
import type { MachineScope, NodeLookup } from "../scope.ts";
import { syncNode } from "./sync-node.ts";

/** Finds the node of a Machine by its provider ID, and writes its labels and taints. Never rejects. */
export async function findNode(
  machine: Machine,
  { cluster, infrastructure }: { readonly cluster: Cluster; readonly infrastructure: Lookup },
  { workloadClient, recorder }: Pick<MachineScope, "workloadClient" | "recorder">,
): Promise<NodeLookup> {
  const { spec, status } = machine;
  if (!spec.providerID) return { outcome: "none" };
  const client = workloadClient(cluster);
  if (!client) return { outcome: "notConnected" };
  let node: Node | undefined;
  try {
    node = await nodeWith(client, spec.providerID);
  } catch (error) {
    return { outcome: "failed", error };
  }
  if (!node) return missing(machine);
  if (!status?.nodeRef) {
    const note = node.metadata.name ?? "";
    recorder.event(machine, { type: "Normal", reason: "SuccessfulSetNodeRef", note });
  }
  const isInterruptible =
    infrastructure.outcome === "found" &&
    fieldOf(infrastructure.object, ["status", "interruptible"]) === true;
  try {
    await syncNode(client, node, { machine, isInterruptible });
    return { outcome: "found", node };
  } catch (error) {
    return { outcome: "found", node, error };
  }
}

/** The node does not exist yet, or has been deleted. */
function missing(machine: Machine): NodeLookup {
  const name = machine.status?.nodeRef?.name;
  if (!name || isBeingDeleted(machine)) return { outcome: "none" };
  const error = new NodeError(
    `could not find the node ${name} of the machine ${machine.metadata.name}: it has been deleted`,
  );
  return { outcome: "none", error };
}
