import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import {
  type ConfigMap,
  configMapOf,
  Downloader,
  latestVersion,
  listConfigMaps,
  lookupIn,
  openRepository,
  type Repository,
} from "@rookery/components";
import { builtInResources } from "@rookery/kube";
import {
  clusterApiProviders,
  clusterApiRelease,
  type Kubernetes,
  startKubernetes,
  type TestNamespace,
} from "@rookery/testing";
import { withoutGo } from "./go-programs.ts";

const { configMaps } = builtInResources;
const azure = { kind: "InfrastructureProvider", name: "azure" } as const;
const labels = { "provider-components": "azure" };
const selector = { matchLabels: labels };
const small = { components: "# components yaml goes here\n", metadata: "# metadata goes here\n" };

const noGo = await withoutGo();

describe("components from ConfigMaps of a real cluster", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let namespace: TestNamespace;

  before(async () => {
    kubernetes = await startKubernetes();
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    namespace = await kubernetes.createNamespace("air-gap");
  });
  after(async () => {
    await namespace?.[Symbol.asyncDispose]();
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const create = (configMap: ConfigMap) => client.resource<ConfigMap>(configMaps).create(configMap);
  const meta = (name: string) => ({ name, namespace: namespace.name, labels });

  /** No network at all: whoever asks for any fails. */
  function open(): Repository {
    const connect = () => assert.fail("nothing is to be fetched from a network");
    return openRepository({
      provider: azure,
      fetchConfig: { selector },
      variables: lookupIn({}),
      downloader: new Downloader({ connect }),
      configMaps: listConfigMaps(client, { namespace: namespace.name, selector }),
    });
  }

  test("the seed's example: two ConfigMaps of two versions under one selector", async () => {
    await create({ apiVersion: "v1", kind: "ConfigMap", metadata: meta("v0.4.9"), data: small });
    await create({ apiVersion: "v1", kind: "ConfigMap", metadata: meta("v0.4.8"), data: small });
    const other = { name: "v0.9.0", namespace: namespace.name };
    await create({ apiVersion: "v1", kind: "ConfigMap", metadata: other, data: small });
    const repository = open();
    assert.deepEqual(await repository.versions(), ["v0.4.9", "v0.4.8"]);
    assert.equal(await latestVersion(repository), "v0.4.9");
    assert.deepEqual(await repository.files("v0.4.8"), small);
    await assert.rejects(repository.files("v0.9.0"), { reason: "NotFound", message: /v0.4.8/ });
  });

  test("real components of 1.2 MB fit, compressed, and come back as they were", {
    skip: noGo,
  }, async () => {
    const [core] = clusterApiProviders;
    const files = await clusterApiRelease(core, "v1.14.2");
    const plain = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: meta("v1.14.1"),
      data: { ...files },
    };
    await assert.rejects(create(plain), /Too long|too large/);
    await create(configMapOf(meta("v1.14.2"), { ...files, version: "v1.14.2" }));
    assert.deepEqual(await open().files("v1.14.2"), files);
  });
});
