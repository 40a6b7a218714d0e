import type { Cluster, Machine } from "@rookery/api";
import { withGenerationOf } from "../../conditions/order.ts";
import { NotConnectedError } from "../../errors.ts";
import type { Node } from "../node.ts";
import { adopted } from "../policies.ts";
import type { MachineScope, NodeLookup, ObservedMachine } from "../scope.ts";
import { takeOver, withExpiry } from "../take-over.ts";
import { findNode } from "./find-node.ts";
import { findParts } from "./find-parts.ts";

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
