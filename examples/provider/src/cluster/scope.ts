import { type OwnerCluster, readOwner } from "@rookery/cluster-api";
import type { Clock, Resource } from "@rookery/kube";
import type { LifecycleScope, ReconcileContext } from "@rookery/runtime";
import { machinesOf } from "../cluster-labels.ts";
import type { HostCluster } from "../kinds/host-cluster.ts";
import type { HostMachine } from "../kinds/host-machine.ts";
import { machines } from "../resources.ts";

/** The functions and values that one reconcile of a HostCluster needs. */
export interface ClusterScope extends LifecycleScope<HostCluster> {
  /** Returns the Cluster that owns the object; undefined while there is none. */
  readonly getOwner: (cluster: HostCluster) => Promise<OwnerCluster | undefined>;
  /** Returns the HostMachines of the cluster, from the cache. */
  readonly listMachines: (cluster: HostCluster) => Promise<readonly HostMachine[]>;
  readonly clock: Clock;
}

export interface ClusterParts {
  /** The Clusters of Cluster API, in the version that the API server prefers. */
  readonly ownerClusters: Resource;
  readonly clock: Clock;
}

export function clusterScope(
  { cache, get, commit }: ReconcileContext<HostCluster>,
  { ownerClusters, clock }: ClusterParts,
): ClusterScope {
  return {
    get,
    commit,
    getOwner: (cluster) =>
      readOwner(cluster, "Cluster", (key) => cache.get<OwnerCluster>(ownerClusters, key)),
    listMachines: (cluster) => cache.list<HostMachine>(machines, machinesOf(cluster)),
    clock,
  };
}
