import type { Cluster, Machine } from "@rookery/api";
import {
  type KubeObject,
  type ObjectKey,
  objectKeyOf,
  type PartialObjectMetadata,
} from "@rookery/kube";
import {
  type Cache,
  createEventChannel,
  type EventChannel,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  type Informer,
  injectIntoAll,
  injectIntoWebhooks,
  type ObjectEvent,
  type Provider,
  type WebhookConfiguration,
  type WithMetadata,
} from "@rookery/runtime";
import { createClusterController } from "./cluster/controller.ts";
import { decode, readSecret } from "./cluster/kubeconfig.ts";
import { createMachineController, machinesOf } from "./machine/controller.ts";
import type { CoreParts } from "./parts.ts";
import { createConnectionController, kubeconfigSecret } from "./remote/controller.ts";
import { machinesOfNode } from "./remote/machines-of-node.ts";
import { WorkloadClusters } from "./remote/workload-clusters.ts";
import {
  createBindingController,
  createResourceSetController,
  setsFor,
} from "./resource-set/controller.ts";
import {
  clusters,
  customResourceDefinitions,
  mutatingWebhookConfigurations,
  secrets,
  validatingWebhookConfigurations,
} from "./resources.ts";
import { coreWebhooks } from "./webhooks/webhooks.ts";
import { World } from "./world.ts";

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
  /** The configurations, of validating and of mutating webhooks, that take the authorities. */
  readonly configuration: string;
  readonly mutatingConfiguration: string;
}

/** Serves the webhooks as the flags say, with a certificate of their own. */
export function setupCoreWebhooks(
  { client, addWebhooks }: Pick<Provider, "client" | "addWebhooks">,
  { service, configuration, mutatingConfiguration }: CoreWebhookOptions,
): void {
  const publish = injectIntoAll([
    injectIntoWebhooks(
      client.resource<WebhookConfiguration>(validatingWebhookConfigurations),
      configuration,
    ),
    injectIntoWebhooks(
      client.resource<WebhookConfiguration>(mutatingWebhookConfigurations),
      mutatingConfiguration,
    ),
  ]);
  const server = addWebhooks({ service, publish });
  for (const webhook of coreWebhooks()) server?.register(webhook);
}

type Parts = Pick<Provider, "client" | "cache" | "manager" | "metrics" | "logger" | "recorder">;

/**
 * Adds the controllers of the core to a manager. The connections to clusters that they share are to be
 * disposed of when the manager has stopped.
 */
export function setupCore(parts: Parts, options: CoreOptions = {}): AsyncDisposable {
  const { client, cache, manager, metrics, logger, recorder } = parts;
  const { clusterConcurrency = 10, machineConcurrency = 10, resourceSetConcurrency = 10 } = options;
  const shared = { cache, metrics, logger };
  const secretMetadata = cache.metadataInformerFor(secrets);
  const channels = createChannels(cache);
  const workloadClusters = connectionsOf(parts, secretMetadata, channels);
  const world = new World({ client, cache, workloadClusters, recorder });
  manager.add(createConnectionController({ ...shared, secretMetadata, workloadClusters }));
  manager.add(
    createClusterController({
      ...shared,
      connections: channels.clusters.source,
      dependencies: (watchKind) => world.forClusters(watchKind),
      concurrency: clusterConcurrency,
    }),
  );
  manager.add(
    createMachineController({
      ...shared,
      workloads: channels.machines.source,
      dependencies: (watchKind) => world.forMachines(watchKind),
      concurrency: machineConcurrency,
    }),
  );
  const coreParts: CoreParts = {
    ...parts,
    workloadClusters,
    secretMetadata,
    definitions: cache.metadataInformerFor(customResourceDefinitions),
    clock: () => new Date(),
  };
  manager.add(
    createResourceSetController(coreParts, {
      connections: channels.resourceSets.source,
      concurrency: resourceSetConcurrency,
    }),
  );
  manager.add(createBindingController(coreParts));
  return workloadClusters;
}

/** What tells the controllers of connections and of nodes. */
interface Channels {
  readonly clusters: EventChannel<WithMetadata>;
  readonly machines: EventChannel<WithMetadata>;
  readonly resourceSets: EventChannel<WithMetadata>;
}

function createChannels(cache: Cache): Channels {
  return {
    clusters: createEventChannel({ name: "connections", handler: enqueueRequestForObject() }),
    machines: createEventChannel({ name: "workloads", handler: enqueueRequestForObject() }),
    resourceSets: createEventChannel({
      name: "connections",
      handler: enqueueRequestsFromMapFunction((cluster) => setsFor(cache, cluster)),
    }),
  };
}

function connectionsOf(
  { client, cache, logger }: Parts,
  secretMetadata: Informer<PartialObjectMetadata>,
  channels: Channels,
): WorkloadClusters {
  const secretKey = ({ namespace, name }: ObjectKey) => ({
    name: kubeconfigSecret(name),
    ...(namespace && { namespace }),
  });
  const tellMachines = (keys: readonly ObjectKey[]) => {
    for (const metadata of keys) channels.machines.send({ type: "generic", object: { metadata } });
  };
  return new WorkloadClusters({
    getCluster: (key) => cache.get<Cluster>(clusters, key),
    secretVersion: (key) => secretMetadata.get(secretKey(key))?.metadata.resourceVersion,
    kubeconfig: async (key) => {
      const secret = await readSecret(client, secretKey(key));
      if (!secret) throw new Error(`there is no Secret ${secretKey(key).name}`);
      return decode(secret.data?.value);
    },
    onChange: (key) => {
      channels.clusters.send({ type: "generic", object: { metadata: key } });
      tellMachines(machinesOf(cache, { metadata: key }));
      const object = cache.informerFor<Cluster>(clusters).get(key);
      if (object) channels.resourceSets.send({ type: "generic", object });
    },
    onNode: (key, event: ObjectEvent<KubeObject>) =>
      tellMachines(
        machinesOfNode(cache, key, event).map((machine: Machine) => objectKeyOf(machine)),
      ),
    logger,
  });
}
