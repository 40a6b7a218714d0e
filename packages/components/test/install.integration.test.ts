import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import {
  type Component,
  type ComponentKey,
  certManagerNeeds,
  contractOf,
  Downloader,
  diffInventories,
  formatComponentKey,
  type Inventory,
  installStages,
  inventoryOf,
  isCertManagerObject,
  lookupIn,
  openRepository,
  parseComponents,
  parseMetadata,
  planDeletion,
  planUpgrade,
  providerLabel,
  type Rendering,
  renderComponents,
  replaceVariables,
  withCaBundle,
} from "@rookery/components";
import { isNotFound } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { type ClusterApiProvider, clusterApiProviders, releases } from "./cluster-api-release.ts";
import { withoutGo } from "./go-programs.ts";
import { type ReleaseServer, startReleaseServer, token } from "./release-server.ts";

const contracts: Readonly<Record<string, string>> = {
  "v1.8.4": "v1beta1",
  "v1.13.6": "v1beta2",
  "v1.14.2": "v1beta2",
};
const namespace = "all-providers";
const fieldManager = "rookery-components";

describe("real components on a real API server", { skip: await withoutGo() }, () => {
  let server: ReleaseServer;
  let kubernetes: Kubernetes;
  let client: Client;
  const installed = new Map<string, Inventory>();

  before(async () => {
    // They are cluster-wide: CRDs and webhooks that would be in the way of other tests.
    [server, kubernetes] = await Promise.all([
      startReleaseServer(),
      startKubernetes({ private: true }),
    ]);
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
  });
  after(async () => {
    await client?.destroy();
    await kubernetes?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  async function fetchAndRender(provider: ClusterApiProvider, version: string): Promise<Rendering> {
    await using downloader = new Downloader({ ca: server.ca });
    const variables = lookupIn({ FETCH_TOKEN: token, CLUSTER_TOPOLOGY: "true" });
    const fetchConfig = { url: server.url };
    const repository = openRepository({ provider, fetchConfig, variables, downloader });
    const { components, metadata } = await repository.files(version);
    assert.equal(contractOf(parseMetadata(metadata), version), contracts[version]);
    return renderComponents({
      provider,
      version,
      namespace,
      components: parseComponents(replaceVariables(components, variables)),
      spec: {
        manager: { syncPeriod: "10m", verbosity: 3, maxConcurrentReconciles: 5 },
        deployment: { replicas: 2, nodeSelector: { "kubernetes.io/os": "linux" } },
      },
    });
  }

  /** What cert-manager would do: it is not installed here. */
  async function withCertificates(components: readonly Component[]): Promise<readonly Component[]> {
    const { certificates } = certManagerNeeds(components);
    const authority = await createCertificateAuthority({ commonName: "webhooks" });
    const secrets = await Promise.all(
      certificates.map(async ({ secretName, dnsNames }): Promise<Component> => {
        const [commonName = ""] = dnsNames;
        const leaf = await authority.issue({ commonName, dnsNames, usages: ["server"] });
        const stringData = { "tls.crt": leaf.certificate, "tls.key": leaf.key };
        const metadata = { name: secretName, namespace };
        return {
          apiVersion: "v1",
          kind: "Secret",
          type: "kubernetes.io/tls",
          metadata,
          stringData,
        };
      }),
    );
    const injected = new Set(
      certificates.flatMap((one) => one.injectedInto.map(({ kind, name }) => `${kind} ${name}`)),
    );
    const own = components.filter((component) => !isCertManagerObject(component));
    return [...own, ...secrets].map((component) =>
      injected.has(`${component.kind} ${component.metadata.name}`)
        ? withCaBundle(component, authority.certificate)
        : component,
    );
  }

  async function apply(component: Component, dryRun = false): Promise<Component> {
    const resource = await client.kind<Component>(component);
    return resource.apply(component, { fieldManager, force: true, dryRun });
  }

  async function install(components: readonly Component[]): Promise<void> {
    for (const { stage, components: members } of installStages(components)) {
      for (const component of members) {
        await apply(component, true);
        await apply(component);
      }
      if (stage === "crds") await Promise.all(members.map(established));
    }
  }

  async function established({ metadata }: Component): Promise<void> {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`;
    await waitFor(
      async () => {
        const { body } = await kubernetes.request("GET", path);
        const conditions = (body.status?.conditions ?? []) as { type: string; status: string }[];
        return conditions.some(({ type, status }) => type === "Established" && status === "True");
      },
      { what: `${metadata.name} to be established` },
    );
  }

  async function remove(keys: readonly ComponentKey[]): Promise<void> {
    for (const { group, version, kind, name, namespace: place } of keys) {
      const resource = await client.kind({ group, version, kind });
      await resource.delete({ name, ...(place && { namespace: place }) });
    }
  }

  async function isThere({ group, version, kind, name, namespace: place }: ComponentKey) {
    const resource = await client.kind({ group, version, kind });
    return resource.get({ name, ...(place && { namespace: place }) }).then(
      () => true,
      (error) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
  }

  for (const version of releases) {
    for (const provider of clusterApiProviders) {
      test(`${providerLabel(provider)} ${version} is fetched, rendered, and accepted in its order`, async () => {
        const rendering = await fetchAndRender(provider, version);
        assert.deepEqual(rendering.warnings, []);
        const components = await withCertificates(rendering.components);
        const next = inventoryOf(components);
        const current = installed.get(providerLabel(provider));
        if (current) {
          const plan = planUpgrade(current, next);
          await remove([...plan.replaced, ...plan.obsolete]);
          assert.deepEqual(plan.abandoned, []);
        }
        await install(components);
        installed.set(providerLabel(provider), next);

        const diff = current && diffInventories(current, next);
        for (const entry of diff?.removed ?? []) assert.equal(await isThere(entry), false);
        for (const entry of next.entries)
          assert.ok(await isThere(entry), formatComponentKey(entry));
      });
    }

    test(`what was applied for ${version} can be applied again without a change`, async () => {
      const [provider] = clusterApiProviders;
      const { components } = await fetchAndRender(provider, version);
      const others = components.filter(
        (one) => !isCertManagerObject(one) && !/Webhook|CustomResource/.test(one.kind),
      );
      for (const component of others) {
        const first = await apply(component);
        const second = await apply(component);
        assert.equal(stateOf(second), stateOf(first));
      }
    });
  }

  test("the Deployment that the API server has is the one that was asked for", async () => {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/capi-controller-manager`;
    const { body } = await kubernetes.request("GET", path);
    const [manager] = body.spec.template.spec.containers;
    assert.equal(body.spec.replicas, 2);
    assert.equal(manager.image, "registry.k8s.io/cluster-api/cluster-api-controller:v1.14.2");
    for (const flag of [
      "--sync-period=10m0s",
      "--v=3",
      "--machine-concurrency=5",
      "--leader-elect",
    ]) {
      assert.ok(manager.args.includes(flag), flag);
    }
    const gates = manager.args.find((arg: string) => arg.startsWith("--feature-gates="));
    assert.match(gates, /ClusterTopology=true/);
  });

  test("a deletion takes all of it, webhooks first, and leaves nothing", async () => {
    const plans = [...installed.values()].map((one) =>
      planDeletion(one, { deleteCrds: true, deleteNamespace: true }),
    );
    const [core, ...others] = plans;
    for (const plan of [...others, ...(core ? [core] : [])]) {
      const isNamespace = ({ stage }: { stage: string }) => stage === "namespace";
      await remove(plan.deleted.filter((entry) => !isNamespace(entry)));
    }
    await remove(core?.deleted.filter(({ kind }) => kind === "Namespace") ?? []);
    const entries = plans.flatMap(({ deleted }) => deleted);
    await waitFor(
      async () => {
        const left = await Promise.all(
          entries.filter(({ stage }) => stage !== "instances").map(isThere),
        );
        return !left.includes(true);
      },
      { what: "everything to be gone", timeout: 300_000 },
    );
  });
});

/** What changes with the object alone: the generation does not count its status, where there is one. */
function stateOf({ metadata }: Component): number | string | undefined {
  return metadata.generation ?? metadata.resourceVersion;
}
