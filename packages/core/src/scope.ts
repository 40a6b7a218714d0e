import type { Cluster, Machine } from "@rookery/api";
import { type Client, withSignal } from "@rookery/client";
import { type Clock, type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";
import type { EventRecorder, LifecycleScope, ReconcileContext } from "@rookery/runtime";
import { createExternals, type Externals } from "./contract/externals.ts";
import { machinesOf } from "./machine/policies.ts";
import type { CoreParts } from "./parts.ts";
import type { ProbeState } from "./remote/workload-clusters.ts";
import { machines } from "./resources.ts";

/** The part of a scope that reconciles of Clusters and Machines share. */
export interface CoreScope<T extends KubeObject> extends LifecycleScope<T> {
  /** The Machines with the label of the cluster. */
  readonly listMachines: (cluster: Cluster) => Promise<readonly Machine[]>;
  readonly externals: Externals;
  readonly probe: (cluster: Cluster) => ProbeState;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

export function coreScope<T extends KubeObject>(
  context: ReconcileContext<T>,
  { workloadClusters, definitions, recorder, clock }: CoreParts,
  watchPart: (resource: Resource) => void,
): CoreScope<T> {
  const { cache, get, commit } = context;
  return {
    get,
    commit,
    listMachines: (cluster) => cache.list<Machine>(machines, machinesOf(objectKeyOf(cluster))),
    externals: createExternals(context, { definitions, watchPart }),
    probe: (cluster) => workloadClusters.state(objectKeyOf(cluster)),
    recorder,
    clock,
  };
}

/** A client of the cluster's own API server; undefined while there is no connection. */
export type WorkloadClient = (cluster: Cluster) => Client | undefined;

/** Clients whose requests end with the reconcile. */
export function workloadClientWithin(
  { signal }: Pick<ReconcileContext<KubeObject>, "signal">,
  { workloadClusters }: Pick<CoreParts, "workloadClusters">,
): WorkloadClient {
  return (cluster) => {
    const client = workloadClusters.client(objectKeyOf(cluster));
    return client && withSignal(client, signal);
  };
}
