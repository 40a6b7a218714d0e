import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCondition, type KubeObject } from "@rookery/kube";
import { type CustomResourceDefinition, waitFor } from "@rookery/testing";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const core = { namespace: "capi-system", name: "cluster-api" };
const aws = { namespace: "capa-system", name: "aws" };
const deployment = { group: "apps", kind: "Deployment" };

type Deployment = KubeObject<{
  template: { spec: { containers: { image: string; args: string[] }[] } };
}>;

/** clusterctl's own kind, as far as it matters here. */
const inventoryDefinition: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "providers.clusterctl.cluster.x-k8s.io" },
  spec: {
    group: "clusterctl.cluster.x-k8s.io",
    scope: "Namespaced",
    names: {
      kind: "Provider",
      plural: "providers",
      singular: "provider",
      listKind: "ProviderList",
    },
    versions: [
      {
        name: "v1alpha3",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
};

describe("providers are declared, and installed from ConfigMaps", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start({
      environment: { REGION: "from-environment", TOKEN: "from-environment" },
      imageOverrides: { all: { repository: "mirror.example.com" } },
    });
    ({ admin } = cluster);
    await cluster.kubernetes.applyCrd(inventoryDefinition);
    await admin.makeNamespace(core.namespace);
    await admin.makeNamespace(aws.namespace);
  });
  after(() => cluster[Symbol.asyncDispose]());

  const events = async (namespace: string) => {
    const type = { group: "events.k8s.io", kind: "Event" };
    const list = await (await cluster.client.kind(type)).list({ namespace });
    return list.items.map((event) => (event as { reason?: string }).reason);
  };

  it("one that is no core waits for it", async () => {
    const variables = "$" + "{REGION} $" + "{TOKEN} $" + "{SIZE} $" + "{COUNT}";
    const components = smallProvider({ name: "aws", args: [`--flags=${variables}`] });
    await admin.offer(aws.namespace, { name: aws.name, version: "v1.0.0", components });
    await admin.offer(aws.namespace, { name: aws.name, version: "v0.9.0", components });
    await admin.create("InfrastructureProvider", aws, { secretName: "variables" });
    await admin.conditionIs("InfrastructureProvider", aws, [
      "PreflightCheckPassed",
      "WaitingForCoreProvider",
    ]);
  });

  it("the core becomes ready, with all its components in its namespace", async () => {
    const components = smallProvider({ name: "core" });
    await admin.offer(core.namespace, { name: core.name, version: "v1.0.0", components });
    await admin.create("CoreProvider", core, { version: "v1.0.0" });
    const provider = await admin.conditionIs("CoreProvider", core, ["Ready", "Ready"]);
    assert.equal(provider.status?.installedVersion, "v1.0.0");
    assert.equal(provider.status?.contract, "v1beta2");
    const types = ["PreflightCheckPassed", "ProviderFetched", "ProviderInstalled"];
    for (const type of [...types, "ProviderUpgraded", "ProviderAvailable"]) {
      assert.equal(getCondition(provider.status?.conditions, type)?.status, "True", type);
    }
    const manager = { namespace: core.namespace, name: "core-manager" };
    const found = await admin.find<Deployment>(deployment, manager);
    const [container] = found?.spec?.template.spec.containers ?? [];
    assert.equal(container?.image, "mirror.example.com/manager:v1");
  });

  it("clusterctl finds it in its inventory, and people in its events", async () => {
    const type = { group: "clusterctl.cluster.x-k8s.io", kind: "Provider" };
    const record = await admin.find<KubeObject & { version: string }>(type, core);
    assert.equal(record?.version, "v1.0.0");
    await waitFor(async () => (await events(core.namespace)).includes("Ready"), {
      what: "an event that says so",
    });
  });

  it("the other goes on by itself, in the latest version, and says that its Secret is missing", async () => {
    const kind = "InfrastructureProvider";
    await admin.conditionIs(kind, aws, ["ProviderFetched", "SecretNotFound"]);
  });

  it("all variables that are missing are named, and it goes on when they are there", async () => {
    const kind = "InfrastructureProvider";
    await admin.makeSecret(aws.namespace, "variables", { TOKEN: "from-secret" });
    const waiting = await admin.conditionIs(kind, aws, ["ProviderFetched", "MissingVariables"]);
    assert.equal(waiting.spec?.version, "v1.0.0");
    const { message } = getCondition(waiting.status?.conditions, "ProviderFetched") ?? {};
    assert.match(message ?? "", /no value for COUNT, SIZE;/);
    await admin.makeSecret(aws.namespace, "variables", {
      TOKEN: "from-secret",
      SIZE: "1",
      COUNT: "2",
    });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    const manager = { namespace: aws.namespace, name: "aws-manager" };
    const found = await admin.find<Deployment>(deployment, manager);
    const args = found?.spec?.template.spec.containers[0]?.args ?? [];
    assert.ok(args.includes("--flags=from-environment from-secret 1 2"), args.join(" "));
  });

  it("what the spec asks for and is not done is told, and keeps nothing from working", async () => {
    const kind = "InfrastructureProvider";
    await admin.change(kind, aws, { manager: { cacheNamespace: "one", profilerAddress: ":6060" } });
    const provider = await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    const warning = getCondition(provider.status?.conditions, "Warning");
    assert.equal(warning?.reason, "SpecPartlyIgnored");
    assert.match(warning?.message ?? "", /manager\.cacheNamespace is ignored/);
    await admin.change(kind, aws, { manager: null });
    const quiet = await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    assert.equal(getCondition(quiet.status?.conditions, "Warning"), undefined);
  });

  it("a source that is gone breaks nothing, and an upgrade that cannot be fetched neither", async () => {
    const kind = "InfrastructureProvider";
    await cluster.kubernetes.kubectl(["delete", "configmaps", "-n", aws.namespace, "--all"]);
    await admin.change(kind, aws, { deployment: { replicas: 2 } });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
    await admin.change(kind, aws, { version: "v1.1.0" });
    const stays = await admin.conditionIs(kind, aws, ["ProviderFetched", "VersionNotFound"]);
    assert.equal(stays.status?.installedVersion, "v1.0.0");
    const available = getCondition(stays.status?.conditions, "ProviderAvailable");
    assert.equal(available?.status, "True");
    const components = smallProvider({ name: "aws", image: "example.com/manager:v1.1" });
    await admin.offer(aws.namespace, { name: aws.name, version: "v1.1.0", components });
    await admin.conditionIs(kind, aws, ["Ready", "Ready"]);
  });

  it("the core cannot go before the other, and both leave nothing but what users may need", async () => {
    await admin.remove("CoreProvider", core);
    await waitFor(
      async () => {
        const { status } = await admin.get("CoreProvider", core);
        const deleting = getCondition(status?.conditions, "Deleting");
        return deleting?.reason === "InUse" && /InfrastructureProvider/.test(deleting.message);
      },
      { what: "the core to say who uses it" },
    );
    // In the foreground, what the object owns goes before it: what is remembered must not.
    await cluster.kubernetes.kubectl([
      ...["delete", "infrastructureproviders.management.cluster.x-k8s.io", aws.name],
      ...["-n", aws.namespace, "--cascade=foreground", "--wait=false"],
    ]);
    await admin.isGone("InfrastructureProvider", aws);
    await admin.isGone("CoreProvider", core);
    const left = await cluster.kubernetes.kubectl([
      ...[
        "get",
        "deployments,services,serviceaccounts,secrets,providers.clusterctl.cluster.x-k8s.io",
      ],
      ...["-A", "-l", "clusterctl.cluster.x-k8s.io", "-o", "name"],
    ]);
    assert.equal(left, "");
    const crds = await cluster.kubernetes.kubectl(["get", "crds", "-o", "name"]);
    assert.match(crds, /nests\.aws\.example\.com/);
    await waitFor(
      async () => {
        const args = ["get", "secrets", "-A", "-l", "management.cluster.x-k8s.io/operator-record"];
        return (await cluster.kubernetes.kubectl([...args, "-o", "name"])) === "";
      },
      // The garbage collector looks for new kinds every 30 s.
      { what: "all that was remembered to be gone", timeout: 180_000 },
    );
  });
});
