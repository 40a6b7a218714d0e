import type { Cluster, Machine } from "@rookery/api";
import { type Client, withSignal } from "@rookery/client";
import { type Clock, keyBeside, objectKeyOf, type Resource } from "@rookery/kube";
import type { EventRecorder, LifecycleScope, ReconcileContext } from "@rookery/runtime";
import { createExternals, type Externals, type Lookup } from "../contract/externals.ts";
import type { CoreParts } from "../parts.ts";
import type { ProbeState } from "../remote/workload-clusters.ts";
import { clusters, machines } from "../resources.ts";
import type { Node } from "./node.ts";
import { machinesOf } from "./policies.ts";

/** What one reconcile of a Machine needs. */
export interface MachineScope extends LifecycleScope<Machine> {
  readonly getCluster: (machine: Machine) => Promise<Cluster | undefined>;
  /** The Machines with the label of the cluster. */
  readonly listMachines: (cluster: Cluster) => Promise<readonly Machine[]>;
  readonly externals: Externals;
  /** A client of the cluster's own API server; undefined while there is no connection. */
  readonly workloadClient: (cluster: Cluster) => Client | undefined;
  readonly probe: (cluster: Cluster) => ProbeState;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

export function machineScope(
  context: ReconcileContext<Machine>,
  parts: CoreParts,
  watchPart: (resource: Resource) => void,
): MachineScope {
  const { cache, signal, get, commit } = context;
  const { workloadClusters, definitions, recorder, clock } = parts;
  return {
    get,
    commit,
    getCluster: (machine) =>
      cache.get<Cluster>(clusters, keyBeside(machine, machine.spec.clusterName)),
    listMachines: (cluster) => cache.list<Machine>(machines, machinesOf(objectKeyOf(cluster))),
    externals: createExternals(context, { definitions, watchPart }),
    workloadClient: (cluster) => {
      const client = workloadClusters.client(objectKeyOf(cluster));
      return client && withSignal(client, signal);
    },
    probe: (cluster) => workloadClusters.state(objectKeyOf(cluster)),
    recorder,
    clock,
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
