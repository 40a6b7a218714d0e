import { createDiscovery, createRestMapper } from "@rookery/client";
import { clusterKind, machineKind } from "@rookery/cluster-api";
import { injectIntoWebhooks, type Provider, type WebhookConfiguration } from "@rookery/runtime";
import { createClusterController } from "./cluster/controller.ts";
import { names } from "./install/names.ts";
import { createMachineController } from "./machine/controller.ts";
import { validatingWebhookConfigurations } from "./resources.ts";
import { hostWebhooks } from "./webhooks/webhooks.ts";

/** Adds the controllers and webhooks of the provider to its manager. */
export async function setupHosts(provider: Provider): Promise<void> {
  const { client, cache, manager } = provider;
  const mapper = createRestMapper(createDiscovery(client.handler));
  const ownerClusters = await mapper.resourceForKind(clusterKind);
  const ownerMachines = await mapper.resourceForKind(machineKind);
  const parts = { ...provider, ownerClusters, ownerMachines, clock: () => new Date() };
  manager.add(createClusterController(parts));
  manager.add(createMachineController(parts));
  const configurations = client.resource<WebhookConfiguration>(validatingWebhookConfigurations);
  const server = provider.addWebhooks({
    service: names.service,
    publish: injectIntoWebhooks(configurations, names.validatingConfiguration),
  });
  for (const webhook of hostWebhooks(cache)) server?.register(webhook);
}
