import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { customResourceDefinitions, type Provider } from "@rookery/api";
import { type Client, createClient, loadConfig } from "@rookery/client";
import { providerKindNames } from "@rookery/components";
import { isInvalid, type KubeObject } from "@rookery/kube";
import {
  createIssuedCertificate,
  injectIntoWebhooks,
  type Secret,
  type WebhookConfiguration,
  WebhookServer,
} from "@rookery/runtime";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { createInstallation } from "../../src/install/installation.ts";
import { webhookConfiguration } from "../../src/install/manifests.ts";
import {
  providerResource,
  providerResources,
  secrets,
  validatingWebhookConfigurations,
} from "../../src/resources.ts";
import { providerWebhooks } from "../../src/webhooks/provider.ts";

const installation = createInstallation({ image: "rookery", namespace: "default" });
const { name, namespace } = installation;

/** The webhooks on loopback, known to the API server as the operator's manifests say. */
async function serve(client: Client): Promise<AsyncDisposable> {
  const stop = new AbortController();
  const configurations = client.resource<WebhookConfiguration>(validatingWebhookConfigurations);
  const certificates = createIssuedCertificate({
    commonName: name,
    ipAddresses: ["127.0.0.1"],
    resyncMs: 250,
    secrets: client.resource<Secret>(secrets),
    secret: { namespace, name },
    publish: injectIntoWebhooks(configurations, name),
  });
  const server = new WebhookServer({ host: "127.0.0.1", port: 0, certificates });
  for (const webhook of providerWebhooks()) server.register(webhook);
  const running = server.start(stop.signal);
  await server.waitForReady();
  await configurations.create(onLoopback(webhookConfiguration(installation), server.url));
  const isKnown = async () => {
    const { webhooks = [] } = await configurations.get({ name });
    return webhooks.every(({ clientConfig }) => clientConfig?.caBundle);
  };
  await waitFor(isKnown, { what: "the authorities to be known to the API server" });
  const dispose = async () => {
    stop.abort();
    await running;
  };
  return { [Symbol.asyncDispose]: dispose };
}

/** There is no network of pods here: the path of each Service becomes that of a URL. */
function onLoopback(configuration: object, url: string): WebhookConfiguration {
  const text = JSON.stringify(configuration).replaceAll(
    /"clientConfig":\{"service":\{[^}]*"path":"([^"]*)"\}\}/g,
    (_, path) => `"clientConfig":{"url":"${url}${path}"}`,
  );
  return JSON.parse(text) as WebhookConfiguration;
}

describe("provider objects at admission", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  const warnings: string[] = [];
  let stack: AsyncDisposableStack;

  before(async () => {
    stack = new AsyncDisposableStack();
    kubernetes = stack.use(await startKubernetes({ private: true, controllerManager: false }));
    const kinds = new Set(providerResources.map(({ plural, group }) => `${plural}.${group}`));
    const own = customResourceDefinitions().filter(({ metadata }) => kinds.has(metadata.name));
    for (const crd of own) await kubernetes.applyCrd(crd);
    const config = await loadConfig({ path: kubernetes.kubeconfig });
    client = stack.use(createClient(config, { onWarning: (text) => warnings.push(text) }));
    stack.use(await serve(client));
    const isAsked = async () => write("CoreProvider", { image: 7 }).then(() => false, isInvalid);
    await waitFor(isAsked, { what: "the API server to ask the webhooks" });
  });
  after(() => stack.disposeAsync());

  const write = (
    kind: Provider["kind"],
    container: object,
    metadata: KubeObject["metadata"] = {},
  ) => {
    const resource = client.resource<KubeObject>(providerResource(kind));
    const deployment = { containers: [{ name: "manager", ...container }] };
    const spec = { deployment, fetchConfig: { selector: {} } };
    const object = {
      apiVersion: "management.cluster.x-k8s.io/v1alpha1",
      kind,
      metadata: { namespace, name: "one", ...metadata },
      spec,
    };
    return resource.create(object, { dryRun: true });
  };

  for (const kind of providerKindNames) {
    it(`are judged: ${kind}`, async () => {
      await assert.rejects(write(kind, { image: "not an image" }), (error: Error) => {
        assert.ok(isInvalid(error));
        assert.match(
          error.message,
          /spec\.deployment\.containers\[0\]\.image: Invalid value: "not an image"/,
        );
        return true;
      });
      await write(kind, { image: "registry.example/manager:v1", args: { v: 4 } });
    });
  }

  it("are taken with a warning where a part of them is ignored", async () => {
    warnings.length = 0;
    await write("CoreProvider", { args: { namespace: "a" } });
    assert.match(warnings.join(), /args\.namespace is ignored/);
  });

  it("can be deleted although they would be refused today", async () => {
    const key = { namespace, name: "older" };
    const resource = client.resource<KubeObject>(providerResource("CoreProvider"));
    const configurations = client.resource<WebhookConfiguration>(validatingWebhookConfigurations);
    const { metadata: _, ...configuration } = await configurations.get({ name });
    await configurations.delete({ name });
    const containers = [{ name: "manager", image: "not an image" }];
    const bad: KubeObject = {
      apiVersion: "management.cluster.x-k8s.io/v1alpha1",
      kind: "CoreProvider",
      metadata: { ...key, finalizers: ["rookery.dev/test"] },
      spec: { deployment: { containers } },
    };
    await waitFor(() => resource.create(bad), { what: "nobody to be asked" });
    await configurations.create({ ...configuration, metadata: { name } });
    const isAsked = async () => write("CoreProvider", { image: 7 }).then(() => false, isInvalid);
    await waitFor(isAsked, { what: "the API server to ask the webhooks again" });
    await resource.delete(key);
    await resource.patch(key, { type: "merge", patch: { metadata: { finalizers: [] } } });
    await assert.rejects(resource.get(key), /not found/);
  });
});
