import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CustomResourceDefinition, Provider } from "@rookery/api";
import { type Client, createClient, createClientOver, loadConfig } from "@rookery/client";
import {
  clusterctlProvider,
  componentLabels,
  lookupIn,
  type ProviderIdentity,
} from "@rookery/components";
import { builtInResources, isNotFound, type KubeObject, type Resource } from "@rookery/kube";
import { type Kubernetes, startKubernetes } from "@rookery/testing";
import { renderOperator } from "../install/render-operator.ts";
import { clusterctlProviders, providerResource, secrets } from "../resources.ts";
import type { InstallState } from "../state/install-state.ts";
import { StateSeal } from "../state/state-seal.ts";
import type { SecretObject } from "../state/state-secrets.ts";
import { migrationDependencies } from "./controller.ts";
import { migrate } from "./migrate.ts";

const namespace = "birds-system";
const identity: ProviderIdentity = { kind: "InfrastructureProvider", name: "birds" };
const state = { namespace, name: "infrastructureprovider-birds-state" };
const key = { namespace, name: "birds" };
const record = clusterctlProvider({ provider: identity, version: "v1.2.3", namespace });
const recordKey = { namespace, name: record.metadata.name ?? "" };
const { signal } = new AbortController();

describe("records of clusterctl on a real API server", () => {
  let kubernetes: Kubernetes;
  let client: Client;

  before(async () => {
    // Its CRDs are cluster-wide, and others install them too.
    kubernetes = await startKubernetes({ private: true });
    for (const crd of [...(await shippedCrds()), birdCrd()]) await kubernetes.applyCrd(crd);
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    await create(builtInResources.namespaces, { metadata: labelled({ name: namespace }) });
    const metadata = labelled({ namespace, name: "settings" });
    await create(builtInResources.configMaps, { metadata });
    await client.resource(clusterctlProviders).create(record);
  });
  after(async () => {
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const create = (resource: Resource, object: Pick<KubeObject, "metadata">) =>
    client.resource(resource).create({ apiVersion: "v1", kind: resource.kind, ...object });
  const providers = () => client.resource<Provider & KubeObject>(providerResource(identity.kind));
  const migrateOver = (over: Client) =>
    migrate(
      recordKey,
      migrationDependencies({ client: over, seal: new StateSeal(over, "default"), ...noNetwork() }),
      signal,
    );

  async function readState(): Promise<InstallState> {
    const { data } = await client.resource<SecretObject>(secrets).get(state);
    return JSON.parse(Buffer.from(data?.state ?? "", "base64").toString());
  }

  async function undo(): Promise<void> {
    await providers().delete(key).catch(unlessGone);
    const patch = { type: "merge", patch: { metadata: { finalizers: null } } } as const;
    await client.resource(secrets).patch(state, patch).catch(unlessGone);
    await client.resource(secrets).delete(state).catch(unlessGone);
  }

  test("a provider is declared with what is in the cluster, and its state belongs to it", async () => {
    const outcome = await migrateOver(client);
    assert.ok(outcome?.action === "Adopted");
    assert.equal(outcome.contract, "v1beta1");
    const { spec, metadata } = await providers().get(key);
    assert.equal(spec?.version, "v1.2.3");
    const { owned, release, phase } = await readState();
    assert.equal(phase, "Stable");
    assert.partialDeepStrictEqual(release, {
      version: "v1.2.3",
      contract: "v1beta1",
      adopted: true,
    });
    assert.deepEqual(owned.map(({ kind, name }) => `${kind} ${name}`).sort(), [
      "ConfigMap settings",
      "CustomResourceDefinition birds.example.com",
      `Namespace ${namespace}`,
    ]);
    const secret = await client.resource(secrets).get(state);
    assert.equal(secret.metadata.ownerReferences?.[0]?.uid, metadata.uid);
  });

  test("a second time there is nothing to do", async () => {
    const before = await client.resource(secrets).get(state);
    const outcome = await migrateOver(client);
    assert.partialDeepStrictEqual(outcome, { action: "Left", reason: "AlreadyDeclared" });
    const after = await client.resource(secrets).get(state);
    assert.equal(after.metadata.resourceVersion, before.metadata.resourceVersion);
  });

  test("killed after any write, and started again, it ends the same way", async () => {
    const whole = await readState();
    for (let writes = 0; ; writes += 1) {
      await undo();
      const isKilled = await migrateOver(dyingClient(client, writes)).then(
        () => false,
        () => true,
      );
      await migrateOver(client);
      assert.deepEqual(await readState(), whole, `killed after ${writes} writes`);
      const secret = await client.resource(secrets).get(state);
      const { metadata } = await providers().get(key);
      assert.equal(secret.metadata.ownerReferences?.[0]?.uid, metadata.uid);
      if (!isKilled) break;
    }
  });

  test("the record that the operator itself keeps does not bring a deleted provider back", async () => {
    await undo();
    const options = { fieldManager: "rookery-operator", force: true };
    await client.resource(clusterctlProviders).apply(record, options);
    const outcome = await migrateOver(client);
    assert.partialDeepStrictEqual(outcome, { action: "Left", reason: "WrittenByOperator" });
    assert.deepEqual((await providers().list()).items, []);
  });
});

/** The kinds that come with the operator, clusterctl's own among them. */
async function shippedCrds(): Promise<readonly CustomResourceDefinition[]> {
  const manifests = (await renderOperator({ image: "rookery:test" })) as readonly KubeObject[];
  const crds = manifests.filter(({ kind }) => kind === "CustomResourceDefinition");
  return crds as unknown as readonly CustomResourceDefinition[];
}

/** Nothing can be fetched: the contract has to be found in the cluster. */
function noNetwork() {
  const connect = () => ({
    handler: async () => Promise.reject(new Error("there is no network")),
    destroy: async () => {},
  });
  return { downloader: { connect }, variables: lookupIn({}) };
}

/** A client whose process ends, as it were, after some writes. */
function dyingClient(client: Client, writes: number): Client {
  let left = writes;
  return createClientOver((request) => {
    if (request.method !== "GET" && left-- === 0) throw new Error("killed");
    return client.handler(request);
  });
}

function labelled(metadata: KubeObject["metadata"]): KubeObject["metadata"] {
  return { ...metadata, labels: componentLabels(identity) };
}

function birdCrd() {
  const labels = { ...componentLabels(identity), "cluster.x-k8s.io/v1beta1": "v1" };
  const schema = { openAPIV3Schema: { type: "object" } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "birds.example.com", labels },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { kind: "Bird", plural: "birds", singular: "bird", listKind: "BirdList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  } as const;
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
