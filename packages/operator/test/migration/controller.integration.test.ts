import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Provider } from "@rookery/api";
import {
  type Client,
  createClient,
  createClientOver,
  ignoreNotFound,
  loadConfig,
} from "@rookery/client";
import type { ClusterctlRecord } from "@rookery/cluster-api";
import {
  clusterctlProvider,
  componentLabels,
  lookupIn,
  type ProviderIdentity,
} from "@rookery/components";
import { createHttpClient } from "@rookery/http";
import { builtInResources, type KubeObject, type Resource } from "@rookery/kube";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { migrate } from "../../src/migration/migrate.ts";
import { migrationAnnotation } from "../../src/migration/plan.ts";
import {
  clusterctlProviders,
  customResourceDefinitions,
  providerResource,
  secrets,
} from "../../src/resources.ts";
import type { InstallState } from "../../src/state/install-state.ts";
import { StateSeal } from "../../src/state/state-seal.ts";
import type { SecretObject } from "../../src/state/state-secrets.ts";
import { installOperatorAccount } from "../operator-account.ts";
import { Administrator, RunningOperator } from "../running-operator.ts";

const namespace = "birds-system";
const identity: ProviderIdentity = { kind: "InfrastructureProvider", name: "birds" };
const state = { namespace, name: "infrastructureprovider-birds-state" };
const key = { namespace, name: "birds" };
const record = clusterctlProvider({ provider: identity, version: "v1.2.3", namespace });
const recordKey = { namespace, name: record.metadata.name ?? "" };
const { signal } = new AbortController();

describe("records of clusterctl on a real API server", () => {
  let kubernetes: Kubernetes;
  /** An administrator's. */
  let client: Client;
  /** The operator's, with the roles that ship. */
  let account: Client;

  before(async () => {
    // Its CRDs are cluster-wide, and others install them too.
    kubernetes = await startKubernetes({ private: true });
    account = await installOperatorAccount(kubernetes);
    await kubernetes.applyCrd(birdCrd());
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    await create(builtInResources.namespaces, { metadata: labelled({ name: namespace }) });
    const metadata = labelled({ namespace, name: "settings" });
    await create(builtInResources.configMaps, { metadata });
    await client.resource(clusterctlProviders).create(record);
  });
  after(async () => {
    await account?.destroy();
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
  });

  const create = (resource: Resource, object: Pick<KubeObject, "metadata">) =>
    client.resource(resource).create({ apiVersion: "v1", kind: resource.kind, ...object });
  const providers = () => client.resource<Provider & KubeObject>(providerResource(identity.kind));
  const migrateOver = async (over: Client) =>
    migrate(
      (await over.resource(clusterctlProviders).get(recordKey)) as ClusterctlRecord,
      { client: over, seal: new StateSeal(over, "rookery-system"), ...noNetwork() },
      signal,
    );

  async function readState(): Promise<InstallState> {
    const { data } = await client.resource<SecretObject>(secrets).get(state);
    return JSON.parse(Buffer.from(data?.state ?? "", "base64").toString());
  }

  async function undo(): Promise<void> {
    await ignoreNotFound(providers().delete(key));
    const patch = { type: "merge", patch: { metadata: { finalizers: null } } } as const;
    await ignoreNotFound(providers().patch(key, patch));
    await ignoreNotFound(client.resource(secrets).patch(state, patch));
    await ignoreNotFound(client.resource(secrets).delete(state));
  }

  test("a provider is declared with what is in the cluster, and its state belongs to it", async () => {
    const outcome = await migrateOver(account);
    assert.ok(outcome.action === "Adopted");
    assert.equal(outcome.contract, "v1beta1");
    const { spec, metadata } = await providers().get(key);
    assert.equal(spec?.version, "v1.2.3");
    const { owned, release, phase } = await readState();
    assert.equal(phase, "Stable");
    assert.match(
      release?.warnings?.join() ?? "",
      /could not be compared with its release: .*UnknownProvider|no InfrastructureProvider of this name is known/,
    );
    assert.equal(spec?.fetchConfig, undefined);
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

  test("its source is the one that the operator's configuration names", async () => {
    await undo();
    const base = {
      client: account,
      seal: new StateSeal(account, "rookery-system"),
      ...noNetwork(),
    };
    const url = "https://git.example.com/birds/releases/latest/infrastructure-components.yaml";
    const adopt = async (configured: string) => {
      const sources = { ...base, providers: [{ ...identity, url: configured }] };
      const record = await account.resource(clusterctlProviders).get(recordKey);
      const outcome = await migrate(record as ClusterctlRecord, sources, signal);
      assert.ok(outcome.action === "Adopted");
      return outcome;
    };
    const adopted = await adopt(url);
    assert.deepEqual(adopted.provider.spec?.fetchConfig, { url });
    assert.deepEqual(adopted.recovered.notes, [`source ${url}`]);
    await undo();
    const { provider, recovered } = await adopt("/home/jane/birds/v1.2.3/components.yaml");
    assert.equal(provider.spec?.fetchConfig, undefined);
    assert.match(
      recovered.problems.join(),
      /is none that the operator can fetch from; set spec\.fetch/,
    );
    await undo();
    await migrateOver(account);
  });

  test("a second time there is nothing to do", async () => {
    const before = await client.resource(secrets).get(state);
    const outcome = await migrateOver(account);
    assert.partialDeepStrictEqual(outcome, { action: "Left", reason: "AlreadyDeclared" });
    const after = await client.resource(secrets).get(state);
    assert.equal(after.metadata.resourceVersion, before.metadata.resourceVersion);
  });

  test("killed after any write, and started again, it ends the same way", async () => {
    const whole = await readState();
    for (let writes = 0; ; writes += 1) {
      await undo();
      const isKilled = await migrateOver(dyingClient(account, writes)).then(
        () => false,
        () => true,
      );
      await migrateOver(account);
      assert.deepEqual(await readState(), whole, `killed after ${writes} writes`);
      const secret = await client.resource(secrets).get(state);
      const { metadata } = await providers().get(key);
      assert.equal(secret.metadata.ownerReferences?.[0]?.uid, metadata.uid);
      if (!isKilled) break;
    }
  });

  test("what keeps a record from being migrated is on the record, until it is", async () => {
    await undo();
    const crds = client.resource<KubeObject>(customResourceDefinitions);
    const key = { name: "birds.example.com" };
    const label = (value: string | null) => {
      const labels = { "cluster.x-k8s.io/v1beta1": value };
      return crds.patch(key, { type: "merge", patch: { metadata: { labels } } });
    };
    await label(null);
    const records = client.resource<ClusterctlRecord>(clusterctlProviders);
    const noteIs = (wanted: RegExp | undefined) =>
      waitFor(
        async () => {
          const { annotations = {} } = (await records.get(recordKey)).metadata;
          const note = annotations[migrationAnnotation];
          return wanted ? wanted.test(note ?? "") : note === undefined;
        },
        { what: `the annotation to be ${wanted ?? "gone"}`, timeout: 60_000 },
      );
    {
      await using _ = await RunningOperator.start(account, { downloader: noNetwork().downloader });
      await noteIs(/^ContractUnknown: neither the metadata .* declare it by hand$/);
      await waitFor(() => hasEvent("ContractUnknown", "birds-system"), { what: "the event" });
    }
    await label("v1");
    await using _ = await RunningOperator.start(account, { downloader: noNetwork().downloader });
    await noteIs(undefined);
    await waitFor(() => hasEvent("Adopted", "birds-system"), { what: "the event" });
  });

  async function hasEvent(reason: string, where: string): Promise<boolean> {
    const path = `/apis/events.k8s.io/v1/namespaces/${where}/events`;
    const { body } = await kubernetes.request("GET", path);
    return body.items.some((event: { reason: string }) => event.reason === reason);
  }

  test("an operator that may not keep a state says so on the record", async () => {
    await undo();
    const role = "clusterrole/rookery-operator";
    const rules = JSON.parse(await kubernetes.kubectl(["get", role, "-o", "jsonpath={.rules}"]));
    const without = rules.map(({ verbs, ...rule }: { verbs: string[]; resources: string[] }) => {
      const isSecrets = rule.resources.includes("secrets");
      return { ...rule, verbs: isSecrets ? verbs.filter((one) => one !== "create") : verbs };
    });
    const setRules = (value: object) => {
      const patch = JSON.stringify({ rules: value });
      return kubernetes.kubectl(["patch", role, "--type=merge", `--patch=${patch}`]);
    };
    await setRules(without);
    await using _ = await RunningOperator.start(account, { downloader: noNetwork().downloader });
    const records = client.resource<ClusterctlRecord>(clusterctlProviders);
    let note = "";
    await waitFor(
      async () => {
        note = (await records.get(recordKey)).metadata.annotations?.[migrationAnnotation] ?? "";
        return note.startsWith("NotAllowed: ");
      },
      { what: "the annotation to be NotAllowed", detail: () => note, timeout: 60_000 },
    );
    assert.match(
      note,
      /cannot create resource "secrets" .*; give the operator the roles of deploy/,
    );
    await setRules(rules);
    await waitFor(() => hasEvent("NotAllowed", "birds-system"), { what: "the event" });
  });

  test("an adopted provider can be deleted, also without a role for its kinds", async () => {
    await undo();
    await migrateOver(account);
    const role = `rookery-operator:${namespace}:infrastructure-birds`;
    await kubernetes.kubectl(["delete", "clusterrole,clusterrolebinding", role]);
    await using _ = await RunningOperator.start(account, { downloader: noNetwork().downloader });
    const isHeld = async () => (await providers().get(key)).metadata.finalizers !== undefined;
    await waitFor(isHeld, { what: "the operator to hold the provider" });
    await providers().delete(key);
    await new Administrator(client, 60_000).isGone(identity.kind, key);
    const path = `/api/v1/namespaces/${namespace}/configmaps/settings`;
    assert.equal((await kubernetes.request("GET", path)).status, 404);
    await create(builtInResources.configMaps, {
      metadata: labelled({ namespace, name: "settings" }),
    });
  });

  test("the record that the operator itself keeps does not bring a deleted provider back", async () => {
    await undo();
    const options = { fieldManager: "rookery-operator", force: true };
    await client.resource(clusterctlProviders).apply(record, options);
    const outcome = await migrateOver(account);
    assert.partialDeepStrictEqual(outcome, { action: "Left", reason: "WrittenByOperator" });
    assert.deepEqual((await providers().list()).items, []);
  });
});

/** Nothing can be fetched: the contract has to be found in the cluster. */
function noNetwork() {
  const connect = () => createHttpClient({ origin: "https://127.0.0.1:1" });
  return { downloader: { connect }, variables: lookupIn({}), imageOverrides: {}, providers: [] };
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
