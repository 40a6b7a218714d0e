import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Condition, getCondition, type KubeObject } from "@rookery/kube";
import { type Fate, waitFor } from "@rookery/testing";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const namespace = "nests-system";
const core = { namespace, name: "cluster-api" };
const kind = "CoreProvider";
const deployment = { group: "apps", kind: "Deployment" };
const manager = { namespace, name: "core-manager" };

type Deployment = KubeObject<{
  template: { spec: { containers: { image: string; args: string[] }[] } };
}>;

/** What a Secret of version v1.1.0 no longer has. */
const config = `
apiVersion: v1
kind: ConfigMap
metadata: {name: old-config, namespace: core-system}
data: {a: b}
`;

const fates: readonly (readonly [end: string, Fate])[] = [
  ["broken", "crashes"],
  ["slow", "waits"],
  ["exits", "exits"],
];

describe("a provider is changed and upgraded", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    const fateOf = ([image = ""]: readonly string[]) =>
      fates.find(([end]) => image.endsWith(end))?.[1] ?? "runs";
    cluster = await OperatorCluster.start({ fateOf });
    ({ admin } = cluster);
    const offers: Record<string, string> = {
      "v1.0.0": smallProvider({ name: "core", more: config }),
      "v1.1.0": smallProvider({ name: "core", image: "example.com/manager:v1.1" }),
      "v1.1.1": smallProvider({ name: "core", image: "example.com/manager:v1.1.1" }),
      "v1.2.0": smallProvider({ name: "core", image: "example.com/manager:broken" }),
      "v1.2.1": smallProvider({
        name: "core",
        image: "example.com/manager:exits",
        probed: false,
      }),
      "v1.3.0": smallProvider({ name: "core", image: "example.com/manager:slow" }),
      "v1.4.0": smallProvider({ name: "core", image: "example.com/manager:v1.4" }),
      "v1.5.0": smallProvider({
        name: "core",
        image: "example.com/manager:broken",
        versions: ["v1", "v2"],
      }),
    };
    await admin.makeNamespace(namespace);
    for (const [version, components] of Object.entries(offers)) {
      await admin.offer(namespace, { name: core.name, version, components });
    }
    await admin.create(kind, core, { version: "v1.0.0" });
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
  });
  after(() => cluster[Symbol.asyncDispose]());

  const managerNow = async () => {
    const found = await admin.find<Deployment>(deployment, manager);
    const [container] = found?.spec?.template.spec.containers ?? [];
    return { uid: found?.metadata.uid, image: container?.image, args: container?.args ?? [] };
  };

  it("an upgrade installs anew, keeps CRDs and user objects, and removes what is no more", async () => {
    const type = { group: "core.example.com", kind: "Nest" };
    // Discovery follows what is served.
    const nests = await waitFor(() => cluster.client.kind<KubeObject>(type), {
      what: "nests to be discovered",
    });
    const crd = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };
    const definition = () => admin.find(crd, { name: "nests.core.example.com" });
    const nest = { apiVersion: "core.example.com/v1", kind: "Nest" };
    await nests.create({ ...nest, metadata: { namespace: "default", name: "mine" } });
    const before = await managerNow();
    const uid = (await definition())?.metadata.uid;
    await admin.change(kind, core, { version: "v1.1.0" });
    const provider = await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    assert.equal(provider.status?.installedVersion, "v1.1.0");
    const after = await managerNow();
    assert.equal(after.image, "example.com/manager:v1.1");
    assert.notEqual(after.uid, before.uid);
    assert.equal((await definition())?.metadata.uid, uid);
    assert.ok(await nests.get({ namespace: "default", name: "mine" }));
    const old = { namespace, name: "old-config" };
    assert.equal(await admin.find({ group: "", kind: "ConfigMap" }, old), undefined);
  });

  it("a bad patch release is reverted", async () => {
    await admin.change(kind, core, { version: "v1.1.1" });
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    await admin.change(kind, core, { version: "v1.1.0" });
    const { status } = await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    assert.equal(status?.installedVersion, "v1.1.0");
    assert.equal((await managerNow()).image, "example.com/manager:v1.1");
  });

  it("any other field is changed in the same way, from what was kept of the version", async () => {
    await cluster.kubernetes.kubectl([
      ...["delete", "configmap", "-n", namespace, "cluster-api-v1.1.0"],
    ]);
    const before = await managerNow();
    await admin.change(kind, core, { manager: { featureGates: { Eggs: true } } });
    await admin.change(kind, core, {
      deployment: { containers: [{ name: "manager", args: { "egg-size": 12 } }] },
      manager: null,
    });
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    const after = await managerNow();
    assert.ok(after.args.includes("--egg-size=12"), after.args.join(" "));
    assert.notEqual(after.uid, before.uid);
  });

  it("without spec.version what is installed stays, and the spec names it again", async () => {
    const before = await managerNow();
    await admin.change(kind, core, { version: null });
    await waitFor(async () => (await admin.get(kind, core)).spec?.version === "v1.1.0", {
      what: "the spec to name the version that is installed",
    });
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    assert.deepEqual(await managerNow(), before);
  });

  it("a change of the source alone does nothing", async () => {
    const before = await managerNow();
    await admin.change(kind, core, {
      fetchConfig: { selector: { matchLabels: { provider: "x" } } },
    });
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    assert.deepEqual(await managerNow(), before);
    await admin.change(kind, core, {
      fetchConfig: { selector: { matchLabels: { provider: core.name } } },
    });
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
  });

  it("a version without a readiness probe whose program exits after a second is rolled back", async () => {
    await admin.change(kind, core, { version: "v1.2.1" });
    const back = await admin.conditionIs(kind, core, ["ProviderUpgraded", "RolledBack"]);
    const message = getCondition(back.status?.conditions, "ProviderUpgraded")?.message ?? "";
    assert.match(message, /CrashLoopBackOff after 3 restarts.*unknown flag: --oops/);
    assert.equal(back.status?.installedVersion, "v1.1.0");
    assert.equal((await managerNow()).image, "example.com/manager:v1.1");
  });

  it("a version whose pods crash is rolled back, with what failed, and not tried again", async () => {
    await admin.change(kind, core, { version: "v1.2.0" });
    const back = await admin.conditionIs(kind, core, ["ProviderUpgraded", "RolledBack"]);
    const message = getCondition(back.status?.conditions, "ProviderUpgraded")?.message ?? "";
    assert.match(message, /CrashLoopBackOff after 5 restarts.*unknown flag: --oops/);
    assert.match(message, /v1\.1\.0 is back; change the spec to try again/);
    assert.equal(back.status?.installedVersion, "v1.1.0");
    const ready = getCondition(back.status?.conditions, "Ready");
    assert.deepEqual([ready?.status, ready?.reason], ["False", "RolledBack"]);
    await waitFor(async () => (await managerNow()).image === "example.com/manager:v1.1", {
      what: "the old manager to be back",
    });
  });

  it("where the policy says to stay it stays, and an administrator can go back", async () => {
    const container = { name: "manager", args: { "egg-size": 13 } };
    await admin.change(kind, core, {
      upgradePolicy: { onFailure: "Stay" },
      deployment: { containers: [container] },
    });
    await admin.conditionIs(kind, core, ["ProviderUpgraded", "Failed"]);
    assert.equal((await managerNow()).image, "example.com/manager:broken");
    await admin.change(kind, core, { version: "v1.1.0", upgradePolicy: null });
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    assert.equal((await managerNow()).image, "example.com/manager:v1.1");
  });

  it("a spec that changes in the middle of an install ends as it says last", async () => {
    await admin.change(kind, core, { version: "v1.3.0" });
    await admin.conditionIs(kind, core, ["ProviderAvailable", "WaitingForDeployments"]);
    await admin.change(kind, core, { version: "v1.4.0" });
    const provider = await admin.conditionIs(kind, core, ["Ready", "Ready"]);
    assert.equal(provider.status?.installedVersion, "v1.4.0");
    assert.equal((await managerNow()).image, "example.com/manager:v1.4");
    const upgraded = getCondition(provider.status?.conditions, "ProviderUpgraded") as Condition;
    assert.equal(upgraded.status, "True");
  });

  it("after a storage version has changed nothing is rolled back, and it says so", async () => {
    await admin.change(kind, core, { version: "v1.5.0" });
    const stays = await admin.conditionIs(kind, core, ["ProviderUpgraded", "RollBackNotPossible"]);
    const message = getCondition(stays.status?.conditions, "ProviderUpgraded")?.message ?? "";
    assert.match(message, /storage version of nests\.core\.example\.com/);
    assert.equal((await managerNow()).image, "example.com/manager:broken");
  });
});
