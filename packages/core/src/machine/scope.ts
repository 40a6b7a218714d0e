import type { Cluster, Machine } from "@rookery/api";
import { keyBeside, type Resource } from "@rookery/kube";
import type { ReconcileContext } from "@rookery/runtime";
import type { Lookup } from "../contract/externals.ts";
import type { CoreParts } from "../parts.ts";
import type { ProbeState } from "../remote/workload-clusters.ts";
import { clusters } from "../resources.ts";
import { type CoreScope, coreScope, type WorkloadClient, workloadClientWithin } from "../scope.ts";
import type { Node } from "./node.ts";

/** What one reconcile of a Machine needs. */
export interface MachineScope extends CoreScope<Machine> {
  readonly getCluster: (machine: Machine) => Promise<Cluster | undefined>;
  readonly workloadClient: WorkloadClient;
}

export function machineScope(
  context: ReconcileContext<Machine>,
  parts: CoreParts,
  watchPart: (resource: Resource) => void,
): MachineScope {
  return {
    ...coreScope(context, parts, watchPart),
    getCluster: (machine) =>
      context.cache.get<Cluster>(clusters, keyBeside(machine, machine.spec.clusterName)),
    workloadClient: workloadClientWithin(context, parts),
  };
}

/** The objects that a Machine refers to. */
export interface MachineParts {
  readonly bootstrap: Lookup;
  readonly infrastructure: Lookup;
}

/** The outcome of looking for the node of a Machine; an error is retried. */
export type NodeLookup =
  | { readonly outcome: "found"; readonly node: Node; readonly error?: unknown }
  | { readonly outcome: "none"; readonly error?: unknown }
  | { readonly outcome: "notConnected" }
  | { readonly outcome: "failed"; readonly error: unknown };

/** The state of a Machine, its parts and its node as one reconcile reads it. */
export interface ObservedMachine extends MachineParts {
  readonly cluster: Cluster;
  readonly node: NodeLookup;
  readonly probe: ProbeState;
  /** The progress of its deletion. */
  readonly deleting?: { readonly reason: string; readonly message: string };
}
