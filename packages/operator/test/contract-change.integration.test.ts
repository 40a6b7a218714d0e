import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Provider } from "@rookery/api";
import { getCondition, type KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { type Administrator, type OfferedRelease, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const namespace = "management";
const providers = [
  ["CoreProvider", "cluster-api"],
  ["BootstrapProvider", "kubeadm"],
  ["InfrastructureProvider", "aws"],
] as const;
type Name = (typeof providers)[number][1];
const annotation = "management.cluster.x-k8s.io/original-controller-replicas";

type Deployment = KubeObject<{ replicas: number }>;

describe("a provider that names no version", () => {
  const kind = "InfrastructureProvider";
  const older = { name: "cluster-api", version: "v1.0.0", contract: "v1beta1" };
  const series = [{ major: 1, minor: 0, contract: "v1beta1" }];
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start();
    ({ admin } = cluster);
    const components = smallProvider({ name: "cluster-api" });
    const key = { namespace: "core-system", name: "cluster-api" };
    await admin.install("CoreProvider", key, { ...older, components });
  });
  after(() => cluster[Symbol.asyncDispose]());

  async function offer(
    name: string,
    versions: readonly (readonly [string, string])[],
    olderSeries: OfferedRelease["olderSeries"] = [],
  ) {
    const namespace = `${name}-system`;
    await admin.makeNamespace(namespace);
    const components = smallProvider({ name });
    for (const [version, contract] of versions) {
      const older = version === "v1.0.0" ? [] : olderSeries;
      const release = { name, version, contract, components, olderSeries: older };
      await admin.offer(namespace, release);
    }
    await admin.create(kind, { namespace, name }, {});
    return { namespace, name };
  }

  it("gets the newest release of the core's contract, not the newest of all", async () => {
    const releases = [
      ["v1.0.0", "v1beta1"],
      ["v2.0.0", "v1beta2"],
    ] as const;
    const key = await offer("aws", releases, series);
    const { spec, status } = await admin.conditionIs(kind, key, ["Ready", "Ready"]);
    assert.deepEqual([spec?.version, status?.contract], ["v1.0.0", "v1beta1"]);
  });

  it("gets none where no release has the core's contract, and is free to take a later one", async () => {
    const key = await offer("azure", [["v2.0.0", "v1beta2"]]);
    const failed = await admin.conditionIs(kind, key, ["PreflightCheckPassed", "ContractMismatch"]);
    assert.equal(failed.spec?.version, undefined);
    const components = smallProvider({ name: key.name });
    const version = "v2.1.0+build.7";
    const release = { name: key.name, version, contract: "v1beta1", components };
    await admin.offer(key.namespace, release);
    const { spec } = await admin.conditionIs(kind, key, ["Ready", "Ready"]);
    assert.equal(spec?.version, version);
  });
});

/** The seed's second figure, and its fourth: all providers in one namespace, and to another contract. */
describe("all providers in one namespace go to another contract", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    cluster = await OperatorCluster.start();
    ({ admin } = cluster);
    await admin.makeNamespace(namespace);
    for (const [, name] of providers) {
      const components = smallProvider({ name });
      await admin.offer(namespace, { name, version: "v1.0.0", contract: "v1beta1", components });
      await admin.offer(namespace, { name, version: "v2.0.0", contract: "v1beta2", components });
    }
  });
  after(() => cluster[Symbol.asyncDispose]());

  const kindOf = (name: Name) => providers.find((one) => one[1] === name)?.[0] ?? "CoreProvider";
  const change = (name: Name, spec: object) =>
    admin.change(kindOf(name), { namespace, name }, spec);
  const get = (name: Name) => admin.get(kindOf(name), { namespace, name });
  const is = (name: Name, condition: readonly [string, string]) =>
    admin.conditionIs(kindOf(name), { namespace, name }, condition);
  /** Waits until the provider is Ready=False for a reason, with a message of this form. */
  const says = (name: Name, reason: string, message: RegExp) =>
    waitFor(
      async () => {
        const ready = readyOf(await get(name));
        return ready?.reason === reason && message.test(ready.message);
      },
      { what: `${name} to be ${reason}`, detail: () => String(message) },
    );
  const readyOf = ({ status }: Provider) => getCondition(status?.conditions, "Ready");
  const manager = async (name: Name) => {
    const type = { group: "apps", kind: "Deployment" };
    const { metadata, spec } =
      (await admin.find<Deployment>(type, { namespace, name: `${name}-manager` })) ?? {};
    return { replicas: spec?.replicas, original: metadata?.annotations?.[annotation] };
  };

  it("after all of them were installed beside one another", async () => {
    for (const [kind, name] of providers.toReversed()) {
      const deployment = name === "aws" ? { deployment: { replicas: 2 } } : {};
      await admin.create(kind, { namespace, name }, { version: "v1.0.0", ...deployment });
    }
    for (const [, name] of providers) {
      const { status } = await is(name, ["Ready", "Ready"]);
      assert.equal(status?.contract, "v1beta1");
    }
  });

  it("not while they run: those that are not paused are named", async () => {
    await change("cluster-api", { version: "v2.0.0" });
    const all =
      /CoreProvider management\/cluster-api is not paused.*kubeadm is not paused.*aws is not paused|CoreProvider management\/cluster-api is not paused.*aws is not paused.*kubeadm is not paused/;
    await says("cluster-api", "ContractChangeBlocked", all);
    assert.equal((await get("cluster-api")).status?.installedVersion, "v1.0.0");
    assert.deepEqual(await manager("cluster-api"), { replicas: 1, original: undefined });
  });

  it("not while one of them runs", async () => {
    await change("cluster-api", { paused: true });
    await change("kubeadm", { paused: true });
    await is("kubeadm", ["Ready", "Paused"]);
    const only = /scaled down; InfrastructureProvider management\/aws is not paused; set/;
    await says("cluster-api", "ContractChangeBlocked", only);
    assert.equal((await get("cluster-api")).status?.installedVersion, "v1.0.0");
  });

  it("as soon as the last of them is paused, the core by itself", async () => {
    await change("aws", { paused: true });
    const { status } = await is("cluster-api", ["ProviderUpgraded", "Upgraded"]);
    await waitFor(async () => (await get("cluster-api")).status?.installedVersion === "v2.0.0", {
      what: "the core to be on the new contract",
    });
    assert.ok(status);
    assert.deepEqual(await manager("cluster-api"), { replicas: 0, original: "1" });
    assert.deepEqual(await manager("aws"), { replicas: 0, original: "2" });
  });

  it("and nobody is unpaused while one is on the old contract, which is named", async () => {
    await change("cluster-api", { paused: false });
    await says("cluster-api", "UnpauseBlocked", /abides by v1beta2, and .*kubeadm by v1beta1/);
    await change("kubeadm", { version: "v2.0.0" });
    await is("kubeadm", ["ProviderUpgraded", "Upgraded"]);
    await change("kubeadm", { paused: false });
    const left = /and InfrastructureProvider management\/aws by v1beta1; set spec\.version/;
    await says("kubeadm", "UnpauseBlocked", left);
    await says("cluster-api", "UnpauseBlocked", left);
    for (const name of ["cluster-api", "kubeadm"] as const) {
      assert.deepEqual(await manager(name), { replicas: 0, original: "1" });
    }
  });

  it("until the last of them is on the new one: then they run again, with as many pods as before", async () => {
    await change("aws", { version: "v2.0.0", paused: false });
    for (const [, name] of providers) {
      const { status } = await is(name, ["Ready", "Ready"]);
      assert.equal(status?.contract, "v1beta2");
      const replicas = name === "aws" ? 2 : 1;
      assert.deepEqual(await manager(name), { replicas, original: undefined });
    }
  });

  it("and one of them goes without the namespace of the others", async () => {
    const key = { namespace, name: "aws" };
    await change("aws", { deletionPolicy: { namespace: "Delete" } });
    await admin.remove("InfrastructureProvider", key);
    await admin.isGone("InfrastructureProvider", key);
    assert.equal((await manager("aws")).replicas, undefined);
    const found = await admin.find({ group: "", kind: "Namespace" }, { name: namespace });
    assert.equal(found?.metadata.deletionTimestamp, undefined);
    for (const name of ["cluster-api", "kubeadm"] as const) {
      assert.equal(readyOf(await get(name))?.status, "True");
    }
  });
});
