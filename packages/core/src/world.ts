import type { Cluster, Machine } from "@rookery/api";
import type { Client } from "@rookery/client";
import { clusterNameLabel } from "@rookery/cluster-api";
import { type Clock, labelSelectorFromSet, objectKeyOf, type Resource } from "@rookery/kube";
import { type Cache, createResourceCommitter, type EventRecorder } from "@rookery/runtime";
import { ensureKubeconfig } from "./cluster/kubeconfig.ts";
import type { ClusterDependencies } from "./cluster/scope.ts";
import { createExternals } from "./contract/externals.ts";
import { deleteObject } from "./delete-object.ts";
import type { MachineDependencies } from "./machine/scope.ts";
import type { WorkloadClusters } from "./remote/workload-clusters.ts";
import { clusters, machines } from "./resources.ts";

export interface WorldOptions {
  readonly client: Client;
  readonly cache: Cache;
  readonly workloadClusters: WorkloadClusters;
  readonly recorder: EventRecorder;
  readonly clock?: Clock;
}

type WatchKind = (resource: Resource) => void;

/** The Kubernetes that the controllers live in: what they read, watch and write. */
export class World {
  readonly #options: WorldOptions;
  readonly #clock: Clock;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => new Date());
  }

  /** What the controller of Clusters needs. */
  forClusters(onKind: WatchKind): ClusterDependencies {
    const { client, cache, workloadClusters, recorder } = this.#options;
    return {
      getCluster: (key) => cache.get<Cluster>(clusters, key),
      listMachines: (cluster) => this.#machinesOf(cluster),
      deleteMachine: (machine) => deleteObject(client, machines, machine),
      externals: createExternals({ client, cache, onKind }),
      ensureKubeconfig: (cluster) => ensureKubeconfig(client, cluster),
      probe: (cluster) => workloadClusters.state(objectKeyOf(cluster)),
      commit: createResourceCommitter(client.resource<Cluster>(clusters)),
      recorder,
      clock: this.#clock,
    };
  }

  /** What the controller of Machines needs. */
  forMachines(onKind: WatchKind): MachineDependencies {
    const { client, cache, workloadClusters, recorder } = this.#options;
    return {
      getMachine: (key) => cache.get<Machine>(machines, key),
      getCluster: (key) => cache.get<Cluster>(clusters, key),
      listMachines: (cluster) => this.#machinesOf(cluster),
      externals: createExternals({ client, cache, onKind }),
      workloadClient: (cluster) => workloadClusters.client(objectKeyOf(cluster)),
      probe: (cluster) => workloadClusters.state(objectKeyOf(cluster)),
      commit: createResourceCommitter(client.resource<Machine>(machines)),
      recorder,
      clock: this.#clock,
    };
  }

  #machinesOf({ metadata }: Cluster): Promise<readonly Machine[]> {
    const { namespace = "", name = "" } = metadata;
    const labels = labelSelectorFromSet({ [clusterNameLabel]: name });
    return this.#options.cache.list<Machine>(machines, { namespace, labels });
  }
}
