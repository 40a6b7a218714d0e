import type { Cluster, Machine } from "@rookery/api";
import { fieldOf } from "@rookery/cluster-api";
import { isBeingDeleted } from "@rookery/runtime";
import type { Lookup } from "../contract/externals.ts";
import { NodeError } from "../errors.ts";
import { findNode, type Node, syncNode } from "./node.ts";
import type { MachineDependencies, NodeLookup } from "./scope.ts";

/** Finds the node of a machine by its provider ID, and marks it as the machine's. Never rejects. */
export async function lookAtNode(
  machine: Machine,
  { cluster, infrastructure }: { readonly cluster: Cluster; readonly infrastructure: Lookup },
  { workloadClient, recorder }: MachineDependencies,
): Promise<NodeLookup> {
  const { spec, status } = machine;
  if (!spec.providerID) return { outcome: "none" };
  const client = workloadClient(cluster);
  if (!client) return { outcome: "notConnected" };
  let node: Node | undefined;
  try {
    node = await findNode(client, spec.providerID);
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

/** Not there yet, or not any more. */
function missing(machine: Machine): NodeLookup {
  const name = machine.status?.nodeRef?.name;
  if (!name || isBeingDeleted(machine)) return { outcome: "none" };
  const error = new NodeError(
    `could not find the node ${name} of the machine ${machine.metadata.name}: it has been deleted`,
  );
  return { outcome: "none", error };
}
