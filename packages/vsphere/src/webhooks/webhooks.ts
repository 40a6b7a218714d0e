import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import type { Client, ResourceClient } from "@rookery/client";
import { isNotFound, type KubeObject } from "@rookery/kube";
import { type Cache, validatingWebhook, type Webhook } from "@rookery/runtime";
import type { ServerRules } from "../credentials/server-rules.ts";
import {
  clusters,
  clusterTemplates,
  identities,
  machines,
  machineTemplates,
  namespaces,
  virtualMachines,
} from "../resources.ts";
import { clusterValidator } from "./cluster.ts";
import { clusterIdentityValidator } from "./cluster-identity.ts";
import { machineValidator } from "./machine.ts";
import { clusterTemplateValidator, machineTemplateValidator } from "./templates.ts";
import { virtualMachineValidator } from "./virtual-machine.ts";

export interface WebhookWorld {
  readonly client: Client;
  readonly cache: Cache;
  readonly servers: ServerRules;
}

/** All webhooks of the provider. What they refuse, a reconcile does not do either. */
export function vsphereWebhooks({ client, cache, servers }: WebhookWorld): Webhook[] {
  const identityClient = client.resource<VSphereClusterIdentity>(identities);
  const namespaceClient = client.resource<KubeObject>(namespaces);
  const cluster = clusterValidator({
    getIdentity: (name) => existing(identityClient, name),
    getNamespace: (name) => existing(namespaceClient, name),
    servers,
  });
  const identity = clusterIdentityValidator({
    servers,
    clustersNaming: async (name) => {
      const all = await cache.list<VSphereCluster>(clusters);
      return all.filter(({ spec }) => isNamed(spec?.identityRef, name));
    },
  });
  return [
    validatingWebhook(clusters, cluster),
    validatingWebhook(clusterTemplates, clusterTemplateValidator),
    validatingWebhook(identities, identity),
    validatingWebhook(machines, machineValidator),
    validatingWebhook(machineTemplates, machineTemplateValidator),
    validatingWebhook(virtualMachines, virtualMachineValidator),
  ];
}

function isNamed(
  identityRef: NonNullable<VSphereCluster["spec"]>["identityRef"],
  name: string,
): boolean {
  return identityRef?.kind === "VSphereClusterIdentity" && identityRef.name === name;
}

async function existing<T extends KubeObject>(
  client: Pick<ResourceClient<T>, "get">,
  name: string,
): Promise<T | undefined> {
  try {
    return await client.get({ name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
