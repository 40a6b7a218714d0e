import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getCondition, type KubeObject } from "@rookery/kube";
import { type Administrator, OperatorCluster } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

const kind = "InfrastructureProvider";
const core = { namespace: "capi-system", name: "cluster-api" };
const nests = { namespace: "nests-system", name: "nests" };
const version = "v1.0.0";

type Deployment = KubeObject<{
  readonly template: { readonly spec: { readonly containers: readonly { args: string[] }[] } };
}>;

describe("spec.manager of a provider of which nobody knows the flags", () => {
  let cluster: OperatorCluster;
  let admin: Administrator;

  before(async () => {
    // Its manager has --sync-period, and no --graceful-shutdown-timeout.
    const fateOf = (_: readonly string[], args: readonly string[]) =>
      args.some((arg) => arg.startsWith("--graceful-shutdown-timeout")) ? "crashes" : "runs";
    cluster = await OperatorCluster.start({ fateOf });
    ({ admin } = cluster);
    const forCore = smallProvider({ name: "core" });
    await admin.install("CoreProvider", core, { name: core.name, version, components: forCore });
    const components = smallProvider({ name: "nests" });
    await admin.install(kind, nests, { name: nests.name, version, components });
  });
  after(() => cluster[Symbol.asyncDispose]());

  const args = async () => {
    const key = { namespace: nests.namespace, name: "nests-manager" };
    const found = await admin.find<Deployment>({ group: "apps", kind: "Deployment" }, key);
    return found?.spec?.template.spec.containers[0]?.args ?? [];
  };

  it("is tried by its usual flag, and a condition says so", async () => {
    await admin.change(kind, nests, { manager: { syncPeriod: "5m" } });
    const { status } = await admin.conditionIs(kind, nests, ["Ready", "Ready"]);
    assert.ok((await args()).includes("--sync-period=5m0s"));
    const warning = getCondition(status?.conditions, "Warning");
    assert.deepEqual([warning?.status, warning?.reason], ["True", "FlagsAssumed"]);
    assert.match(warning?.message ?? "", /manager\.syncPeriod is set by --sync-period/);
  });

  it("is rolled back where the manager does not know the flag, which is named", async () => {
    await admin.change(kind, nests, { manager: { gracefulShutDown: "10s" } });
    const { status } = await admin.conditionIs(kind, nests, ["ProviderUpgraded", "RolledBack"]);
    const { message = "" } = getCondition(status?.conditions, "ProviderUpgraded") ?? {};
    assert.match(message, /manager\.gracefulShutDown is set by --graceful-shutdown-timeout/);
    assert.match(message, /remove the field, or set the flag by its own name/);
    const now = await args();
    assert.ok(now.includes("--sync-period=5m0s"), now.join(" "));
    assert.ok(!now.some((arg) => arg.startsWith("--graceful")), now.join(" "));
  });

  it("is as it should be again when the field is removed", async () => {
    await admin.change(kind, nests, { manager: { gracefulShutDown: null } });
    await admin.conditionIs(kind, nests, ["Ready", "Ready"]);
  });
});
