import type { Client } from "@rookery/client";
import type { Resource } from "@rookery/kube";
import {
  createCache,
  createIssuedCertificate,
  createManager,
  createMetrics,
  createWebhookServer,
  type ProviderWebhooksOptions,
  type Secret,
  type WebhookConfiguration,
  type WebhookServer,
} from "@rookery/runtime";
import { waitFor } from "@rookery/testing";
import { setupVSphereWebhooks, validatingWebhookConfiguration } from "@rookery/vsphere";
import { secrets } from "./running-provider.ts";

const name = "vsphere-webhooks";
const configurations: Resource = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  singular: "validatingwebhookconfiguration",
  namespaced: false,
};

/**
 * The webhooks of the provider with a certificate that they issue themselves: for loopback, where an
 * API server without a network of Services finds them.
 */
export async function startWebhooks(client: Client, namespace: string): Promise<AsyncDisposable> {
  const stop = new AbortController();
  const configurationClient = client.resource<WebhookConfiguration>(configurations);
  const cache = createCache({ client });
  const manager = createManager({});
  manager.add(cache);
  const served = Promise.withResolvers<WebhookServer>();
  const addWebhooks = ({ publish }: ProviderWebhooksOptions): WebhookServer => {
    const certificates = createIssuedCertificate({
      commonName: name,
      ipAddresses: ["127.0.0.1"],
      secrets: client.resource<Secret>(secrets),
      secret: { namespace, name },
      publish,
      resyncMs: 250,
    });
    const metrics = createMetrics({ processMetrics: false });
    const server = createWebhookServer({ host: "127.0.0.1", port: 0, metrics, certificates });
    manager.add(server);
    served.resolve(server);
    return server;
  };
  setupVSphereWebhooks({ client, cache, addWebhooks }, { service: name, configuration: name });
  const server = await served.promise;
  const running = manager.start(stop.signal);
  await server.waitForReady?.(stop.signal);
  await configurationClient.create(validatingWebhookConfiguration(name, { url: server.url }));
  await waitFor(
    async () => {
      const { webhooks = [] } = await configurationClient.get({ name });
      return webhooks.every(({ clientConfig }) => clientConfig?.caBundle);
    },
    { what: "the authorities to be known to the API server" },
  );
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
