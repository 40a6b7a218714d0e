import type { VSphereCluster, VSphereClusterIdentity } from "@rookery/api";
import { type Client, getOptional } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
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
import { machineValidator, virtualMachineValidator } from "./machine.ts";
import { clusterTemplateValidator, machineTemplateValidator } from "./templates.ts";

export interface WebhookParts {
  readonly client: Client;
  readonly cache: Cache;
  readonly servers: ServerRules;
}

/** All webhooks of the provider. They reject early what a reconcile rejects too. */
export function vsphereWebhooks({ client, cache, servers }: WebhookParts): Webhook[] {
  const identityClient = client.resource<VSphereClusterIdentity>(identities);
  const namespaceClient = client.resource<KubeObject>(namespaces);
  const cluster = clusterValidator({
    getIdentity: (name) => getOptional(identityClient, { name }),
    getNamespace: (name) => getOptional(namespaceClient, { name }),
    servers,
  });
  const identity = clusterIdentityValidator({
    servers,
    clustersNaming: async (name) => {
      const all = await cache.list<VSphereCluster>(clusters);
      return all.filter(({ spec }) => {
        const { kind, name: named } = spec?.identityRef ?? {};
        return kind === "VSphereClusterIdentity" && named === name;
      });
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
