import type { Cluster, Machine } from "@rookery/api";
import { fieldOf } from "@rookery/cluster-api";
import { isBeingDeleted } from "@rookery/runtime";
import { withGenerationOf } from "../../conditions/order.ts";
import { findPart, type Lookup, type PartOwner } from "../../contract/externals.ts";
import { NodeError, NotConnectedError } from "../../errors.ts";
import { type Node, nodeWith } from "../node.ts";
import { adopted, withMachine } from "../policies.ts";
import type { MachineParts, MachineScope, NodeLookup, ObservedMachine } from "../scope.ts";
import { takeOver, withExpiry } from "../take-over.ts";
import { syncNode } from "./sync-node.ts";

/** A Machine and everything that its reconcile read. */
export interface Observation {
  /** The Machine as the server has it, after the spec was written. */
  readonly current: Machine;
  /** The Machine with the status that follows from its parts and node. */
  readonly machine: Machine;
  readonly observed: ObservedMachine;
  /** Errors to retry. */
  readonly problems: readonly unknown[];
  /** Whether one of the problems shows in no condition. */
  readonly isUnreported: boolean;
}

/** Finds the parts and the node of a Machine, and writes what its spec takes over from them. */
export async function observe(
  read: Machine,
  cluster: Cluster,
  scope: MachineScope,
): Promise<Observation> {
  const { problems, ...parts } = await findParts(read, cluster, scope);
  const { spec, status, problem } = takeOver(read, parts);
  const current = await scope.commit(read, adopted({ ...read, spec }, cluster));
  const filled = withExpiry(withGenerationOf({ ...current, status }, read), parts.bootstrap);
  const { infrastructure } = parts;
  const node = await findNode(filled, { cluster, infrastructure }, scope);
  return {
    current,
    machine: node.outcome === "found" ? withNode(filled, node.node) : filled,
    observed: { cluster, ...parts, node, probe: scope.probe(cluster) },
    problems: [...problems, ...(problem ? [problem] : []), ...nodeProblems(node, cluster)],
    isUnreported: problem !== undefined,
  };
}

function nodeProblems(node: NodeLookup, { metadata }: Cluster): unknown[] {
  // A connection that opens starts another reconcile.
  if (node.outcome === "notConnected") return [new NotConnectedError(metadata.name ?? "")];
  return "error" in node ? [node.error] : [];
}

function withNode(machine: Machine, { metadata, status }: Node): Machine {
  const nodeRef = machine.status?.nodeRef ?? { name: metadata.name ?? "" };
  const { nodeInfo } = status ?? {};
  return { ...machine, status: { ...machine.status, nodeRef, ...(nodeInfo && { nodeInfo }) } };
}

interface FoundParts extends MachineParts {
  /** Errors to retry; the conditions of the parts show them. */
  readonly problems: readonly unknown[];
}

/** Finds bootstrap config and infrastructure, and makes the Machine their controller. Never rejects. */
async function findParts(
  machine: Machine,
  cluster: Cluster,
  { externals }: Pick<MachineScope, "externals">,
): Promise<FoundParts> {
  const { spec, status } = machine;
  const owner: PartOwner = {
    object: machine,
    clusterName: spec.clusterName,
    withOwner: (part) => withMachine(part, machine, cluster),
  };
  const bootstrap = await findPart({ reference: spec.bootstrap.configRef }, owner, externals);
  const wasUp = status?.initialization?.infrastructureProvisioned && "provisioned";
  const infrastructure = await findPart(
    { reference: spec.infrastructureRef, wasUp },
    owner,
    externals,
  );
  return {
    bootstrap: bootstrap.lookup,
    infrastructure: infrastructure.lookup,
    problems: [...bootstrap.problems, ...infrastructure.problems],
  };
}

/** Finds the node of a Machine by its provider ID, and writes its labels and taints. Never rejects. */
async function findNode(
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
