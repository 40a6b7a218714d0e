import type { Cluster, ClusterResourceSet, ClusterResourceSetBinding, Machine } from "@rookery/api";
import {
  type Client,
  getOptional,
  ignoreAlreadyExists,
  ignoreNotFound,
  withSignal,
} from "@rookery/client";
import { clusterNameLabel } from "@rookery/cluster-api";
import {
  type Clock,
  type KubeObject,
  labelSelectorFromSet,
  objectKeyOf,
  type Resource,
} from "@rookery/kube";
import {
  type Cache,
  createResourceCommitter,
  type EventRecorder,
  isBeingDeleted,
} from "@rookery/runtime";
import { ensureKubeconfig } from "./cluster/kubeconfig.ts";
import type { ClusterDependencies } from "./cluster/scope.ts";
import { createExternals } from "./contract/externals.ts";
import type { MachineDependencies } from "./machine/scope.ts";
import type { WorkloadClusters } from "./remote/workload-clusters.ts";
import { selects } from "./resource-set/controller.ts";
import type { DataObject, ResourceSetDependencies } from "./resource-set/scope.ts";
import {
  clusters,
  configMaps,
  machines,
  resourceSetBindings,
  resourceSets,
  secrets,
} from "./resources.ts";

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
      deleteMachine: (machine) => remove(client, machines, machine),
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

  /** What one reconcile of a ClusterResourceSet needs: nothing that it asks outlives the signal. */
  forResourceSets(signal: AbortSignal): ResourceSetDependencies {
    const { cache, workloadClusters } = this.#options;
    const client = withSignal(this.#options.client, signal);
    const bindings = client.resource<ClusterResourceSetBinding>(resourceSetBindings);
    const dataClient = (kind: string) =>
      client.resource<DataObject>(kind === "Secret" ? secrets : configMaps);
    return {
      getResourceSet: (key) => cache.get<ClusterResourceSet>(resourceSets, key, signal),
      selectedClusters: async (set) => {
        const { namespace = "" } = set.metadata;
        const all = await cache.list<Cluster>(clusters, { namespace }, signal);
        return all.filter(
          (cluster) =>
            !isBeingDeleted(cluster) &&
            selects(set.spec.clusterSelector, cluster.metadata.labels ?? {}),
        );
      },
      getData: ({ kind, name }, namespace) => getOptional(dataClient(kind), { namespace, name }),
      commitData: (original, desired) =>
        createResourceCommitter(dataClient(original.kind))(original, desired),
      // Of the server itself: what a cache does not know yet would be applied twice.
      getBinding: (key) => getOptional(bindings, key),
      createBinding: async (binding) =>
        (await ignoreAlreadyExists(bindings.create(binding))) ?? bindings.get(objectKeyOf(binding)),
      commitBinding: createResourceCommitter(bindings),
      deleteBinding: (binding) => remove(client, resourceSetBindings, binding),
      workloadClient: (cluster) => {
        const workload = workloadClusters.client(objectKeyOf(cluster));
        return workload && withSignal(workload, signal);
      },
      commit: createResourceCommitter(client.resource<ClusterResourceSet>(resourceSets)),
      clock: this.#clock,
    };
  }

  #machinesOf({ metadata }: Cluster): Promise<readonly Machine[]> {
    const { namespace = "", name = "" } = metadata;
    const labels = labelSelectorFromSet({ [clusterNameLabel]: name });
    return this.#options.cache.list<Machine>(machines, { namespace, labels });
  }
}

async function remove(client: Client, resource: Resource, object: KubeObject): Promise<void> {
  const { uid } = object.metadata;
  const options = { ...(uid && { preconditions: { uid } }) };
  await ignoreNotFound(client.resource(resource).delete(objectKeyOf(object), options));
}
