import { coreRelease, setupCoreWebhooks } from "@rookery/core";
import {
  createIssuedCertificate,
  createManager,
  createMetrics,
  type Secret,
  type WebhookConfiguration,
  WebhookServer,
} from "@rookery/runtime";
import { waitFor } from "@rookery/testing";
import { secrets } from "./core-resources.ts";
import type { CoreWorld } from "./core-world.ts";

const service = "rookery-core-webhook-service";
const namespace = "rookery-core-system";

/** The core's webhooks at loopback, called as the configurations of a release say, with its account. */
export async function startWebhooks(world: CoreWorld): Promise<AsyncDisposable> {
  const client = world.managerClient;
  const stop = new AbortController();
  const manager = createManager({});
  const served = Promise.withResolvers<WebhookServer>();
  const [validating, mutating] = configurations();
  const names = {
    configuration: validating?.metadata.name ?? "",
    mutatingConfiguration: mutating?.metadata.name ?? "",
  };
  setupCoreWebhooks(
    {
      client,
      addWebhooks({ publish }) {
        const certificates = createIssuedCertificate({
          commonName: service,
          ipAddresses: ["127.0.0.1"],
          publish,
          resyncMs: 250,
          secrets: client.resource<Secret>(secrets),
          secret: { namespace, name: `${service}-cert` },
        });
        const metrics = createMetrics({ processMetrics: false });
        const server = new WebhookServer({ host: "127.0.0.1", port: 0, metrics, certificates });
        manager.add(server);
        served.resolve(server);
        return server;
      },
    },
    { service, ...names },
  );
  const server = await served.promise;
  const running = manager.start(stop.signal);
  await server.waitForReady();
  for (const configuration of [validating, mutating]) {
    if (configuration) await create(world.client, pointedAt(server.url, configuration));
  }
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

function configurations(): readonly WebhookConfiguration[] {
  const manifests = coreRelease({ image: "rookery:test" }).get("core-components.yaml") ?? [];
  return (manifests as readonly WebhookConfiguration[])
    .filter(({ kind }) => kind.endsWith("WebhookConfiguration"))
    .sort((one, other) => (one.kind > other.kind ? -1 : 1));
}

function pointedAt(url: string, configuration: WebhookConfiguration): WebhookConfiguration {
  const { webhooks = [] } = configuration;
  return {
    ...configuration,
    webhooks: webhooks.map((webhook) => {
      const { service } = webhook.clientConfig as { service?: { path?: string } };
      return { ...webhook, clientConfig: { url: `${url}${service?.path ?? ""}` } };
    }),
  };
}

/** And waits until the API server can trust it. */
async function create(
  client: CoreWorld["client"],
  configuration: WebhookConfiguration,
): Promise<void> {
  const resource = await client.kind(configuration);
  await resource.create(configuration);
  const { name = "" } = configuration.metadata;
  const isTrusted = async () => {
    const { webhooks = [] } = (await resource.get({ name })) as WebhookConfiguration;
    return webhooks.every(({ clientConfig }) => clientConfig?.caBundle);
  };
  await waitFor(isTrusted, { what: `${name} to be trusted`, timeout: 120_000 });
}
