import {
  type OwnerCluster,
  type OwnerMachine,
  readOwner,
  referredKeys,
} from "@rookery/cluster-api";
import { type Clock, keyBeside, type Resource } from "@rookery/kube";
import type { EventRecorder, LifecycleScope, ReconcileContext } from "@rookery/runtime";
import { machinesOf } from "../cluster-labels.ts";
import type { HostCluster } from "../kinds/host-cluster.ts";
import type { HostMachine } from "../kinds/host-machine.ts";
import { clusters, machines } from "../resources.ts";

/** The functions and values that one reconcile of a HostMachine needs. */
export interface MachineScope extends LifecycleScope<HostMachine> {
  /** Returns the Machine that owns the object; undefined while there is none. */
  readonly getOwner: (machine: HostMachine) => Promise<OwnerMachine | undefined>;
  readonly getCluster: (owner: OwnerMachine) => Promise<OwnerCluster | undefined>;
  /** Returns the HostCluster that a Cluster refers to. */
  readonly getHostCluster: (cluster: OwnerCluster) => Promise<HostCluster | undefined>;
  /** Reads the cluster's HostMachines from the API server: the cache may lack the last claim. */
  readonly listMachines: (cluster: HostCluster) => Promise<readonly HostMachine[]>;
  readonly recorder: Pick<EventRecorder, "event">;
  readonly clock: Clock;
}

export interface MachineParts {
  /** The Clusters and Machines of Cluster API, in the version that the API server prefers. */
  readonly ownerClusters: Resource;
  readonly ownerMachines: Resource;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

export function machineScope(
  { client, cache, get, commit }: ReconcileContext<HostMachine>,
  { ownerClusters, ownerMachines, recorder, clock }: MachineParts,
): MachineScope {
  return {
    get,
    commit,
    getOwner: (machine) =>
      readOwner(machine, "Machine", (key) => cache.get<OwnerMachine>(ownerMachines, key)),
    getCluster: async (owner) => {
      const name = owner.spec?.clusterName;
      return name ? cache.get<OwnerCluster>(ownerClusters, keyBeside(owner, name)) : undefined;
    },
    getHostCluster: async (cluster) => {
      const [key] = referredKeys(cluster, cluster.spec?.infrastructureRef, clusters);
      return key && cache.get<HostCluster>(clusters, key);
    },
    listMachines: async (cluster) => {
      const { namespace, labels } = machinesOf(cluster);
      const options = { namespace, labelSelector: labels.toString() };
      return (await client.resource<HostMachine>(machines).listAll(options)).items;
    },
    recorder,
    clock,
  };
}
