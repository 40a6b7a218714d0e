import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Client } from "@rookery/client";
import { getCondition } from "@rookery/kube";
import { type Kubernetes, startKubernetes } from "@rookery/testing";
import { PretendKubelet } from "./pretend-kubelet.ts";
import { Administrator, adminClient, RunningOperator } from "./running-operator.ts";
import { smallProvider } from "./small-provider.ts";

describe("a provider is declared, and installed from a ConfigMap", () => {
  let kubernetes: Kubernetes;
  let client: Client;
  let admin: Administrator;
  let operator: RunningOperator;
  let kubelet: PretendKubelet;

  before(async () => {
    kubernetes = await startKubernetes({ private: true });
    client = await adminClient(kubernetes);
    admin = new Administrator(client);
    kubelet = new PretendKubelet(client);
    operator = await RunningOperator.start(client);
  });
  after(async () => {
    await operator[Symbol.asyncDispose]();
    await kubelet[Symbol.asyncDispose]();
    await client.destroy();
    await kubernetes[Symbol.asyncDispose]();
  });

  const core = { namespace: "capi-system", name: "cluster-api" };

  it("the core becomes ready, with all its components in its namespace", async () => {
    await admin.makeNamespace(core.namespace);
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
  });
});
