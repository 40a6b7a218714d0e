import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const namespace = "nests-system";
const core = { namespace, name: "cluster-api" };
const kind = "CoreProvider";
const annotation = "management.cluster.x-k8s.io/original-controller-replicas";

type Deployment = KubeObject<
  { replicas: number; template: { spec: { containers: { image: string }[] } } },
  { replicas?: number }
>;

describe("a provider is paused and goes on", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    const fateOf = ([image = ""]: readonly string[]) =>
      image.endsWith("broken") ? "crashes" : "runs";
    cluster = await OperatorCluster.start({ fateOf });
    ({ admin } = cluster);
    await admin.makeNamespace(namespace);
    for (const [version, image] of [
      ["v1.0.0", "example.com/manager:v1"],
      ["v1.1.0", "example.com/manager:v1.1"],
      ["v1.2.0", "example.com/manager:broken"],
    ] as const) {
      const components = smallProvider({ name: "core", image });
      await admin.offer(namespace, { name: core.name, version, components });
    }
    await admin.create(kind, core, { version: "v1.0.0", deployment: { replicas: 2 } });
    await admin.conditionIs(kind, core, ["Ready", "Ready"]);
  });
  after(() => cluster[Symbol.asyncDispose]());

  const managerNow = async () => {
    const type = { group: "apps", kind: "Deployment" };
    const found = await admin.find<Deployment>(type, { namespace, name: "core-manager" });
    return {
      replicas: found?.spec?.replicas,
      original: found?.metadata.annotations?.[annotation],
      image: found?.spec?.template.spec.containers[0]?.image,
      pods: found?.status?.replicas ?? 0,
    };
  };
  const managerIs = (what: string, expected: Partial<Awaited<ReturnType<typeof managerNow>>>) =>
    waitFor(
      async () => {
        const now = await managerNow();
        assert.deepEqual({ ...now, ...expected }, now);
        return true;
      },
      { what },
    );

  it("its Deployments are scaled to 0, and say how many pods they had", async () => {
    await admin.change(kind, core, { paused: true });
    await admin.conditionIs(kind, core, ["Ready", "Paused"]);
    await managerIs("no pods to be there", { replicas: 0, original: "2", pods: 0 });
  });

  it("meanwhile drift and other fields are left alone", async () => {
    await cluster.kubernetes.kubectl([
      ...["set", "image", "-n", namespace, "deployment/core-manager", "manager=example.com/other"],
    ]);
    await admin.change(kind, core, { deployment: { replicas: 3 } });
    await admin.conditionIs(kind, core, ["Ready", "Paused"]);
    assert.equal((await managerNow()).image, "example.com/other");
  });

  it("another version is installed without pods, and counts as done", async () => {
    await admin.change(kind, core, { version: "v1.1.0", deployment: { replicas: 2 } });
    const provider = await admin.conditionIs(kind, core, ["ProviderUpgraded", "Upgraded"]);
    assert.equal(provider.status?.installedVersion, "v1.1.0");
    const image = "example.com/manager:v1.1";
    assert.deepEqual(await managerNow(), { replicas: 0, original: "2", image, pods: 0 });
  });

  it("one whose pods would crash is not rolled back while there are none", async () => {
    await admin.change(kind, core, { version: "v1.2.0" });
    await admin.conditionIs(kind, core, ["ProviderUpgraded", "Upgraded"]);
    await admin.change(kind, core, { version: "v1.1.0", paused: true });
    await admin.conditionIs(kind, core, ["PreflightCheckPassed", "Downgrade"]);
    assert.equal((await managerNow()).image, "example.com/manager:broken");
    await admin.change(kind, core, { version: "v1.2.0", paused: false });
    await admin.conditionIs(kind, core, ["ProviderAvailable", "PodsFailing"]);
    await managerIs("its pods to be there", { replicas: 2, original: undefined });
  });
});
