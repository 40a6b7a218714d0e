import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Client, createClient, loadConfig } from "@rookery/client";
import {
  applierRules,
  type Component,
  contractOf,
  Downloader,
  diffInventories,
  formatComponentKey,
  type Inventory,
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
} from "@rookery/components";
import { isForbidden } from "@rookery/kube";
import {
  type ClusterApiProvider,
  clusterApiProviders,
  clusterApiVersions,
  type Kubernetes,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { Applier, withCertificates } from "./applier.ts";
import { withoutGo } from "./go-programs.ts";
import { type ReleaseServer, startReleaseServer, token } from "./release-server.ts";

const contracts: Readonly<Record<string, string>> = {
  "v1.8.4": "v1beta1",
  "v1.14.2": "v1beta2",
};
const namespace = "all-providers";
/** The one between them is installed, from the first and to the last, by the operator's tests. */
const applied = [clusterApiVersions[0], clusterApiVersions[2]];

describe("real components on a real API server", { skip: await withoutGo() }, () => {
  let server: ReleaseServer;
  let kubernetes: Kubernetes;
  let client: Client;
  let admin: Applier;
  const installed = new Map<string, Inventory>();

  before(async () => {
    server = await startReleaseServer();
    // They are cluster-wide: CRDs and webhooks that would be in the way of other tests.
    kubernetes = await startKubernetes({ private: true });
    client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
    admin = new Applier(client);
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

  test("whoever has just the rules of its components can install a provider, and no other", async () => {
    const [core, bootstrap] = clusterApiProviders;
    const [version] = clusterApiVersions;
    const { components } = await fetchAndRender(bootstrap, version);
    const whole = await withCertificates(components);
    const user = await kubernetes.user({ name: "installer-of-bootstrap" });
    await admin.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    for (const object of grantOf(whole, user.name)) await admin.apply(object);
    await using installer = createClient(await loadConfig({ path: user.kubeconfig }));
    const applier = new Applier(installer);
    // The API server learns of roles and bindings a moment after they are written.
    const entries = inventoryOf(whole).entries.filter(({ stage }) => /crds|workloads/.test(stage));
    await waitFor(
      async () => (await Promise.all(entries.map((entry) => applier.isThere(entry)))).length > 0,
      { what: "the user's rules to hold", timeout: 300_000 },
    );
    await applier.install(whole);

    const others = await fetchAndRender(core, version);
    const foreign = others.components.filter(
      ({ kind }) => kind === "ClusterRole" || kind === "Deployment",
    );
    for (const component of foreign) {
      await assert.rejects(applier.apply(component), isForbidden);
    }
    const { deleted, kept } = planDeletion(inventoryOf(whole));
    await applier.remove(deleted);
    // They may go too. Not in earnest: the versions that follow have them.
    await applier.remove(
      kept.filter(({ stage }) => stage === "crds"),
      { dryRun: true },
    );
  });

  for (const version of applied) {
    for (const provider of clusterApiProviders) {
      test(`${providerLabel(provider)} ${version} is fetched, rendered, and accepted in its order`, async () => {
        const rendering = await fetchAndRender(provider, version);
        assert.deepEqual(rendering.warnings, []);
        const components = await withCertificates(rendering.components);
        const next = inventoryOf(components);
        const current = installed.get(providerLabel(provider));
        if (current) {
          const plan = planUpgrade(current, next);
          await admin.remove([...plan.replaced, ...plan.obsolete]);
          assert.deepEqual(plan.abandoned, []);
        }
        await admin.install(components);
        installed.set(providerLabel(provider), next);

        const diff = current && diffInventories(current, next);
        for (const entry of diff?.removed ?? []) assert.equal(await admin.isThere(entry), false);
        for (const entry of next.entries) {
          assert.ok(await admin.isThere(entry), formatComponentKey(entry));
        }
      });
    }

    test(`what was applied for ${version} can be applied again without a change`, async () => {
      const [provider] = clusterApiProviders;
      const { components } = await fetchAndRender(provider, version);
      // An aggregated role is written by the control plane too, at any time.
      const others = components.filter(
        (one) =>
          !isCertManagerObject(one) &&
          !one.aggregationRule &&
          !/Webhook|CustomResource/.test(one.kind),
      );
      for (const component of others) {
        const first = await admin.apply(component);
        const second = await admin.apply(component);
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
    const flags = ["--sync-period=10m0s", "--v=3", "--machine-concurrency=5", "--leader-elect"];
    for (const flag of flags) assert.ok(manager.args.includes(flag), flag);
    const gates = manager.args.find((arg: string) => arg.startsWith("--feature-gates="));
    assert.match(gates, /ClusterTopology=true/);
  });

  test("a deletion takes all of it, webhooks first, and leaves nothing", async () => {
    const plans = [...installed.values()].map((one) => planDeletion(one, { deleteCrds: true }));
    for (const { deleted } of plans.reverse()) await admin.remove(deleted);
    const entries = plans.flatMap(({ deleted }) => deleted);
    await waitFor(
      async () =>
        !(await Promise.all(entries.map((entry) => admin.isStaying(entry)))).includes(true),
      { what: "everything to be gone", timeout: 300_000 },
    );
  });
});

/** The roles and bindings that give a user what components need. */
function grantOf(components: readonly Component[], user: string): readonly Component[] {
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const apiGroup = "rbac.authorization.k8s.io";
  const name = "applier";
  const subjects = [{ kind: "User", name: user, apiGroup }];
  const { cluster, namespaces } = applierRules(components);
  const metadata = { name };
  return [
    { apiVersion, kind: "ClusterRole", metadata, rules: cluster },
    {
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata,
      subjects,
      roleRef: { apiGroup, kind: "ClusterRole", name },
    },
    ...Object.entries(namespaces).flatMap(([place, rules]) => [
      { apiVersion, kind: "Role", metadata: { name, namespace: place }, rules },
      {
        apiVersion,
        kind: "RoleBinding",
        metadata: { name, namespace: place },
        subjects,
        roleRef: { apiGroup, kind: "Role", name },
      },
    ]),
  ];
}

/** What changes with the object alone: the generation does not count its status, where there is one. */
function stateOf({ metadata }: Component): number | string | undefined {
  return metadata.generation ?? metadata.resourceVersion;
}
