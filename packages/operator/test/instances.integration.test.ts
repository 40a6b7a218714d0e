import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCondition, type KubeObject } from "@rookery/kube";
import { clusterApiProviders, clusterApiRelease, waitFor, whyUnavailable } from "@rookery/testing";
import { type Administrator, OperatorCluster } from "./running-operator.ts";

const [core] = clusterApiProviders;
const version = "v1.13.6";
const skip = await whyUnavailable(() => clusterApiRelease(core, version));

const capi1 = { namespace: "capi1-system", name: "cluster-api" };
const capi2 = { namespace: "capi2-system", name: "cluster-api" };
const rosa = ["rosa-a", "rosa-b"];
const rbac = "rbac.authorization.k8s.io";
const admission = "admissionregistration.k8s.io";
const namespaceLabel = "kubernetes.io/metadata.name";

interface Webhook {
  readonly name: string;
  readonly clientConfig: { readonly service: { readonly namespace: string } };
  readonly namespaceSelector: {
    readonly matchExpressions: readonly { key: string; operator: string; values: string[] }[];
  };
  readonly rules: readonly { readonly scope: string; readonly resources: readonly string[] }[];
}
type WebhookConfiguration = KubeObject & { readonly webhooks: readonly Webhook[] };
type Binding = KubeObject & {
  readonly subjects?: readonly {
    readonly kind: string;
    readonly name: string;
    readonly namespace: string;
  }[];
};
interface Container {
  readonly name: string;
  readonly args: readonly string[];
}
type Deployment = KubeObject<{
  template: {
    metadata: { annotations: Record<string, string> };
    spec: { containers: Container[]; initContainers?: Container[] };
  };
}>;
type Definition = KubeObject<{
  conversion: { webhook: { clientConfig: { service: { namespace: string; name: string } } } };
}>;

describe("two instances of the real core, in capi1-system and capi2-system", { skip }, () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start({
      image: "example.com/rookery:v1",
      // No manager runs here, and nobody would admit a Cluster.
      apiServerArgs: [
        "--disable-admission-plugins=MutatingAdmissionWebhook,ValidatingAdmissionWebhook",
      ],
    });
    ({ admin } = cluster);
    const release = await clusterApiRelease(core, version);
    for (const { namespace } of [capi1, capi2]) {
      await admin.makeNamespace(namespace);
      await admin.offer(namespace, {
        name: "cluster-api",
        version,
        components: release.components,
      });
    }
    for (const name of [...rosa, "team"]) await admin.makeNamespace(name);
    await admin.create("CoreProvider", capi1, {
      version,
      watch: { namespaces: rosa, rbac: "Cluster" },
    });
    // One is the first because it is elder, by whole seconds.
    await admin.conditionIs("CoreProvider", capi1, ["Ready", "Ready"]);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  const configuration = (kind: string, namespace: string) =>
    admin.find<WebhookConfiguration>(
      { group: admission, kind: `${kind}WebhookConfiguration` },
      { name: `capi-${kind.toLowerCase()}-webhook-configuration-${namespace}` },
    );
  const manager = (namespace: string) =>
    admin.find<Deployment>(
      { group: "apps", kind: "Deployment" },
      { namespace, name: "capi-controller-manager" },
    );
  const clustersCrd = () =>
    admin.find<Definition>(
      { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" },
      { name: "clusters.cluster.x-k8s.io" },
    );
  const subjects = async () => {
    const key = { name: "capi-manager-rolebinding" };
    const binding = await admin.find<Binding>({ group: rbac, kind: "ClusterRoleBinding" }, key);
    return (binding?.subjects ?? []).map(
      ({ kind, name, namespace }) => `${kind} ${namespace}:${name}`,
    );
  };

  const makeCluster = async (namespace: string, spec: object) => {
    const resource = await admin.client.kind<KubeObject>({
      group: "cluster.x-k8s.io",
      kind: "Cluster",
    });
    const apiVersion = "cluster.x-k8s.io/v1beta2";
    await resource.create({
      apiVersion,
      kind: "Cluster",
      metadata: { namespace, name: "prod" },
      spec,
    });
  };
  const messageOf = async (key: typeof capi1, [type, reason]: readonly [string, string]) => {
    const { status } = await admin.conditionIs("CoreProvider", key, [type, reason]);
    return getCondition(status?.conditions, type)?.message ?? "";
  };

  it("a ClusterClass elsewhere is found at preflight, before anything is installed", async () => {
    const classRef = { name: "small", namespace: "rosa-a" };
    await makeCluster("team", { topology: { classRef, version: "v1.34.0" } });
    const watch = { excludedNamespaces: rosa };
    await admin.create("CoreProvider", capi2, { version: "v1.12.0", watch });
    await admin.conditionIs("CoreProvider", capi2, ["PreflightCheckPassed", "VersionSkew"]);
    const warned = await messageOf(capi2, ["Warning", "NamespaceGap"]);
    assert.match(
      warned,
      /Cluster team\/prod to rosa-a, which CoreProvider capi2-system\/cluster-api does not watch; let/,
    );
    assert.equal(await manager("capi2-system"), undefined);
  });

  it("both become ready, and say what they watch", async () => {
    await admin.change("CoreProvider", capi2, { version });
    const two = await admin.conditionIs("CoreProvider", capi2, ["Ready", "Ready"]);
    const one = await admin.conditionIs("CoreProvider", capi1, ["Ready", "Ready"]);
    assert.deepEqual(one.status?.watch, {
      by: "proxy",
      first: true,
      rbac: "Cluster",
      namespaces: rosa,
    });
    assert.deepEqual(two.status?.watch, {
      by: "proxy",
      first: false,
      rbac: "Cluster",
      excludedNamespaces: rosa,
    });
  });

  it("global resources: CRDs whose webhooks point into the first instance only", async () => {
    const { spec, metadata } = (await clustersCrd()) ?? {};
    const { name, namespace } = spec?.conversion.webhook.clientConfig.service ?? {};
    assert.deepEqual(
      { name, namespace },
      { name: "capi-webhook-service", namespace: "capi1-system" },
    );
    assert.equal(
      metadata?.annotations?.["management.cluster.x-k8s.io/first-instance"],
      "capi1-system/cluster-api",
    );
  });

  it("global resources: one ClusterRoleBinding binds both accounts to the ClusterRole", async () => {
    await waitFor(async () => (await subjects()).length === 2, {
      what: "both accounts to be bound",
    });
    assert.deepEqual(await subjects(), [
      "ServiceAccount capi1-system:capi-manager",
      "ServiceAccount capi2-system:capi-manager",
    ]);
    const names = await cluster.kubernetes.kubectl([
      ...["get", "clusterroles,clusterrolebindings", "-l", "clusterctl.cluster.x-k8s.io"],
      ...["-o", "name"],
    ]);
    assert.deepEqual(names.trim().split("\n").sort(), [
      "clusterrole.rbac.authorization.k8s.io/capi-aggregated-manager-role",
      "clusterrole.rbac.authorization.k8s.io/capi-manager-role",
      "clusterrolebinding.rbac.authorization.k8s.io/capi-manager-rolebinding",
    ]);
  });

  for (const { namespace } of [capi1, capi2]) {
    it(`namespace ${namespace} has all that the seed lists for it`, async () => {
      const names = await cluster.kubernetes.kubectl([
        ...["get", "serviceaccounts,roles,rolebindings,services,deployments", "-n", namespace],
        ...["-l", "clusterctl.cluster.x-k8s.io", "-o", "name"],
      ]);
      assert.deepEqual(names.trim().split("\n").sort(), [
        "deployment.apps/capi-controller-manager",
        "role.rbac.authorization.k8s.io/capi-leader-election-role",
        "rolebinding.rbac.authorization.k8s.io/capi-leader-election-rolebinding",
        "service/capi-webhook-service",
        "serviceaccount/capi-manager",
      ]);
      for (const kind of ["Mutating", "Validating"]) {
        const found = await configuration(kind, namespace);
        const targets = new Set(found?.webhooks.map((one) => one.clientConfig.service.namespace));
        assert.deepEqual([...targets], [namespace]);
      }
    });
  }

  it("the proxy beside each manager is told the namespaces, and the manager not to migrate", async () => {
    const expected = {
      "capi1-system": rosa.map((name) => `--namespace=${name}`),
      "capi2-system": rosa.map((name) => `--excluded-namespace=${name}`),
    };
    for (const [namespace, flags] of Object.entries(expected)) {
      const { template } = (await manager(namespace))?.spec ?? {};
      const proxy = template?.spec.initContainers?.find(({ name }) => name === "rookery-proxy");
      assert.deepEqual(
        proxy?.args.filter((arg) => /namespace=rosa/.test(arg)),
        flags,
      );
      const [own] = template?.spec.containers ?? [];
      const skipped = "StorageVersionMigration,CleanupManagedFields";
      assert.ok(own?.args.includes(`--skip-crd-migration-phases=${skipped}`), own?.args.join(" "));
      assert.ok(!own?.args.some((arg) => arg.includes("namespace=")), own?.args.join(" "));
    }
  });

  it("each namespace is admitted by one instance, and cluster-scoped kinds by the first", async () => {
    const selectors = async (namespace: string) => {
      const webhooks = (await configuration("Validating", namespace))?.webhooks ?? [];
      const found = webhooks.map(({ namespaceSelector }) => namespaceSelector.matchExpressions);
      return [...new Set(found.map((one) => JSON.stringify(one)))].map((one) => JSON.parse(one));
    };
    // Each lets go of what the other surely admits.
    const isOwn = async () => (await selectors("capi1-system"))[0]?.[0]?.operator === "In";
    await waitFor(isOwn, { what: "the first to admit its own namespaces alone" });
    const key = namespaceLabel;
    assert.deepEqual(await selectors("capi1-system"), [[{ key, operator: "In", values: rosa }]]);
    assert.deepEqual(await selectors("capi2-system"), [[{ key, operator: "NotIn", values: rosa }]]);
    const scopes = async (namespace: string) => {
      const webhooks = (await configuration("Validating", namespace))?.webhooks ?? [];
      return new Set(webhooks.flatMap(({ rules }) => rules.map(({ scope }) => scope)));
    };
    assert.deepEqual(await scopes("capi2-system"), new Set(["Namespaced"]));
    assert.deepEqual(await scopes("capi1-system"), new Set(["*"]));
  });

  it("one that is deleted stays while there are clusters in namespaces that nobody else claims", async () => {
    await makeCluster("rosa-a", { controlPlaneEndpoint: { host: "192.0.2.1", port: 6443 } });
    await admin.remove("CoreProvider", capi1);
    assert.match(
      await messageOf(capi1, ["Deleting", "InUse"]),
      /1 still use it: Cluster rosa-a\/prod; let another instance claim their namespaces, or delete/,
    );
    const { metadata } = (await manager("capi1-system")) ?? {};
    assert.ok(metadata && !metadata.deletionTimestamp, "its manager goes on");
  });

  it("it goes when another claims them, which has what both share then, and the clusters", async () => {
    const before = await clustersCrd();
    await admin.change("CoreProvider", capi2, { watch: { excludedNamespaces: null, rest: true } });
    await admin.isGone("CoreProvider", capi1);
    const prod = { namespace: "rosa-a", name: "prod" };
    assert.ok(await admin.find({ group: "cluster.x-k8s.io", kind: "Cluster" }, prod));
    const crd = await clustersCrd();
    assert.equal(crd?.metadata.uid, before?.metadata.uid);
    const { namespace } = crd?.spec?.conversion.webhook.clientConfig.service ?? {};
    assert.equal(namespace, "capi2-system");
    await admin.conditionIs("CoreProvider", capi2, ["Ready", "Ready"]);
    await admin.watches("CoreProvider", capi2, { by: "flag", first: true, rbac: "Cluster" });
    const isAlone = async () => (await subjects()).length === 1;
    await waitFor(isAlone, { what: "the binding to lose the account that is gone" });
    await waitFor(
      async () => (await manager("capi2-system"))?.spec?.template.spec.initContainers === undefined,
      {
        what: "the last one to watch all namespaces, which needs no proxy",
      },
    );
    const { status } = await admin.get("CoreProvider", capi2);
    assert.equal(getCondition(status?.conditions, "Warning"), undefined);
  });
});
