import type { Client } from "@rookery/client";
import type { Resource } from "@rookery/kube";
import {
  createCache,
  createIssuedCertificate,
  createManager,
  createMetrics,
  type ProviderWebhooksOptions,
  type Secret,
  type WebhookConfiguration,
  WebhookServer,
} from "@rookery/runtime";
import { type Kubernetes, waitFor } from "@rookery/testing";
import { setupVSphereWebhooks } from "../src/setup.ts";
import { validatingWebhookConfiguration } from "../src/webhooks/configuration.ts";
import { accountClient, systemNamespace } from "./installation.ts";
import { secrets } from "./running-provider.ts";

const service = "capv-webhook-service";
const name = "capv-validating-webhook-configuration";
const configurations: Resource = {
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
  singular: "validatingwebhookconfiguration",
  namespaced: false,
};

/**
 * The webhooks of the provider as its shipped account, with a certificate that they issue themselves: for loopback, where an
 * API server without a network of Services finds them.
 */
export async function startWebhooks(
  kubernetes: Kubernetes,
  admin: Client,
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const client = stack.use(await accountClient(kubernetes));
  const stop = new AbortController();
  const configurationClient = admin.resource<WebhookConfiguration>(configurations);
  const cache = createCache({ client });
  const manager = createManager({});
  manager.add(cache);
  const served = Promise.withResolvers<WebhookServer>();
  const addWebhooks = ({ publish }: ProviderWebhooksOptions): WebhookServer => {
    const certificates = createIssuedCertificate({
      commonName: service,
      ipAddresses: ["127.0.0.1"],
      secrets: client.resource<Secret>(secrets),
      secret: { namespace: systemNamespace, name: `${service}-cert` },
      publish,
      resyncMs: 250,
    });
    const metrics = createMetrics({ processMetrics: false });
    const server = new WebhookServer({ host: "127.0.0.1", port: 0, metrics, certificates });
    manager.add(server);
    served.resolve(server);
    return server;
  };
  setupVSphereWebhooks({ client, cache, addWebhooks }, { service, configuration: name });
  const server = await served.promise;
  const running = manager.start(stop.signal);
  stack.defer(async () => {
    stop.abort();
    await running;
  });
  await server.waitForReady();
  await configurationClient.create(validatingWebhookConfiguration(name, { url: server.url }));
  await waitFor(
    async () => {
      const { webhooks = [] } = await configurationClient.get({ name });
      return webhooks.every(({ clientConfig }) => clientConfig?.caBundle);
    },
    { what: "the authorities to be known to the API server" },
  );
  return stack.move();
}
