import type { Cluster, Machine } from "@rookery/api";
import {
  type Cache,
  createEventChannel,
  type EventHandler,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type Provider,
  serveWebhooks,
  type WithMetadata,
} from "@rookery/runtime";
import { createClusterController } from "./cluster/controller.ts";
import { createMachineController } from "./machine/controller.ts";
import { machinesOfNode } from "./machine/node.ts";
import { machinesOf } from "./machine/policies.ts";
import type { CoreParts } from "./parts.ts";
import { createConnectionController } from "./remote/controller.ts";
import { WorkloadClusters, type WorkloadClustersOptions } from "./remote/workload-clusters.ts";
import {
  createBindingController,
  createResourceSetController,
  setsFor,
} from "./resource-set/controller.ts";
import { clusters, customResourceDefinitions, machines, secrets } from "./resources.ts";
import { coreWebhooks } from "./webhooks/webhooks.ts";

export interface CoreOptions {
  /** How many Clusters are reconciled at a time. 10. */
  readonly clusterConcurrency?: number;
  /** How many Machines are reconciled at a time. 10. */
  readonly machineConcurrency?: number;
  /** How many ClusterResourceSets are reconciled at a time. 10. */
  readonly resourceSetConcurrency?: number;
}

export interface CoreWebhookOptions {
  /** The Service that API servers call. */
  readonly service: string;
  /** The configurations of validating and of mutating webhooks, into which the manager writes its authorities. */
  readonly configuration: string;
  readonly mutatingConfiguration: string;
}

/** Serves the webhooks with a certificate that the manager issues itself. */
export function setupCoreWebhooks(
  provider: Pick<Provider, "client" | "addWebhooks">,
  { service, configuration, mutatingConfiguration }: CoreWebhookOptions,
): void {
  serveWebhooks(provider, {
    service,
    validating: configuration,
    mutating: mutatingConfiguration,
    webhooks: coreWebhooks(),
  });
}

type Parts = Pick<Provider, "client" | "cache" | "manager" | "metrics" | "logger" | "recorder">;

/**
 * Adds the controllers of the core to a manager. Dispose of the returned connections when the manager has
 * stopped.
 */
export function setupCore(provider: Parts, options: CoreOptions = {}): AsyncDisposable {
  const { cache, manager, logger } = provider;
  const { clusterConcurrency = 10, machineConcurrency = 10, resourceSetConcurrency = 10 } = options;
  const channels = createChannels(cache);
  const workloadClusters = new WorkloadClusters({ ...connectionEvents(cache, channels), logger });
  const parts: CoreParts = {
    ...provider,
    workloadClusters,
    secretMetadata: cache.metadataInformerFor(secrets),
    definitions: cache.metadataInformerFor(customResourceDefinitions),
    clock: () => new Date(),
  };
  manager.add(createConnectionController(parts));
  manager.add(createClusterController(parts, channels.clusters.source, clusterConcurrency));
  manager.add(createMachineController(parts, channels.machines.source, machineConcurrency));
  manager.add(
    createResourceSetController(parts, channels.resourceSets.source, resourceSetConcurrency),
  );
  manager.add(createBindingController(parts));
  return workloadClusters;
}

/** Channels of requests that follow from connections and nodes. */
function createChannels(cache: Cache) {
  const channel = (name: string, handler: EventHandler = enqueueRequestForObject()) =>
    createEventChannel<WithMetadata>({ name, handler });
  const toSets: EventHandler = enqueueRequestsFromMapFunction((cluster) => setsFor(cache, cluster));
  return {
    clusters: channel("connections"),
    machines: channel("workloads"),
    resourceSets: channel("connections", toSets),
  };
}

/** A changed connection requests the Cluster, its Machines and its sets; a node requests its Machines. */
function connectionEvents(
  cache: Cache,
  channels: ReturnType<typeof createChannels>,
): Pick<WorkloadClustersOptions, "onChange" | "onNode"> {
  const requestMachines = (found: readonly Machine[]) => {
    for (const object of found) channels.machines.send({ type: "generic", object });
  };
  return {
    onChange: (key) => {
      channels.clusters.send({ type: "generic", object: { metadata: key } });
      requestMachines(cache.informerFor<Machine>(machines).list(machinesOf(key)));
      const object = cache.informerFor<Cluster>(clusters).get(key);
      if (object) channels.resourceSets.send({ type: "generic", object });
    },
    onNode: (key, event) => requestMachines(machinesOfNode(cache, key, event)),
  };
}
