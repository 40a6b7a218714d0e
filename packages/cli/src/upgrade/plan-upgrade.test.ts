import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "@rookery/api";
import type { ProviderKind } from "@rookery/components";
import type { ReleaseSource } from "../releases/release-source.ts";
import { customPlan } from "./custom-plan.ts";
import { familiesOf, planUpgrades } from "./plan-upgrade.ts";
import type { UpgradeInfo } from "./upgrade-info.ts";

const series = [
  { major: 1, minor: 8, contract: "v1beta1" },
  { major: 1, minor: 9, contract: "v1beta1" },
  { major: 1, minor: 13, contract: "v1beta2" },
];
const contractOf = (version: string) =>
  series.find(({ minor }) => version.startsWith(`v1.${minor}.`))?.contract ?? "";

function info(
  [kind, name, current]: readonly [ProviderKind, string, string],
  newer: readonly string[],
  spec: Provider["spec"] = {},
): UpgradeInfo {
  const metadata = { name, namespace: `${name}-system` };
  const provider = { kind, metadata, spec } as Provider;
  const text = `apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nreleaseSeries: ${JSON.stringify(series)}`;
  return {
    key: { kind, name, namespace: `${name}-system` },
    provider,
    source: { metadata: async () => text } as unknown as ReleaseSource,
    current,
    contract: contractOf(current),
    newer: newer.map((version) => ({ version, contract: contractOf(version) })),
  };
}

const core = info(["CoreProvider", "cluster-api", "v1.8.4"], ["v1.13.6", "v1.9.2", "v1.9.1"]);
const kubeadm = info(["BootstrapProvider", "kubeadm", "v1.8.4"], ["v1.13.6", "v1.9.2"]);
const late = info(["InfrastructureProvider", "aws", "v1.8.0"], ["v1.8.1"]);
const nextOf = (plan: ReturnType<typeof planUpgrades>[number] | undefined) =>
  plan?.items.map(({ key, to }) => `${key.name} ${to}`);

test("there is a plan for each contract, with the newest release of it", () => {
  const [now, next, ...others] = planUpgrades([core, kubeadm]);
  assert.deepEqual(others, []);
  assert.deepEqual([now?.contract, now?.changesContract], ["v1beta1", false]);
  assert.deepEqual(nextOf(now), ["kubeadm v1.9.2", "cluster-api v1.9.2"]);
  assert.deepEqual([next?.contract, next?.changesContract], ["v1beta2", true]);
  assert.deepEqual(nextOf(next), ["kubeadm v1.13.6", "cluster-api v1.13.6"]);
});

test("a contract that one of them has no release of can't be had, and that one is named", () => {
  const [now, next] = planUpgrades([core, late]);
  assert.deepEqual(now?.blockedBy, []);
  assert.deepEqual(next?.blockedBy, [late.key]);
});

test("unless its policy lets it abide by the older one", () => {
  const lenient = info(["InfrastructureProvider", "aws", "v1.8.0"], ["v1.8.1"], {
    contractPolicy: "Compatible",
  });
  const [, next] = planUpgrades([core, lenient]);
  assert.deepEqual(next?.blockedBy, []);
  assert.deepEqual(nextOf(next), ["cluster-api v1.13.6", "aws v1.8.1"]);
});

test("what has API groups of its own is planned by itself where it has a core", () => {
  const apiGroupSuffix = "team.example.com";
  const ownCore = info(["CoreProvider", "own", "v1.8.4"], [], { apiGroupSuffix });
  const own = info(["BootstrapProvider", "own", "v1.8.4"], [], { apiGroupSuffix });
  const shared = info(["BootstrapProvider", "x", "v1.8.4"], [], {
    apiGroupSuffix: "b.example.com",
  });
  assert.deepEqual(familiesOf([core, ownCore, own, shared]), [
    [core, shared],
    [ownCore, own],
  ]);
});

test("without a core there is nothing to plan", () => {
  assert.deepEqual(planUpgrades([late]), []);
});

test("versions that are named make a plan, which changes the contract where the core's does", async () => {
  const plan = await customPlan(
    [core, kubeadm],
    [
      { kind: "CoreProvider", name: "cluster-api", version: "v1.13.6" },
      { kind: "BootstrapProvider", name: "kubeadm", version: "v1.13.6" },
    ],
  );
  assert.deepEqual([plan.contract, plan.changesContract], ["v1beta2", true]);
});

test("all that is wrong with versions is said at once", async () => {
  const named = [
    { kind: "CoreProvider", name: "cluster-api", version: "v1.13.6" },
    { kind: "InfrastructureProvider", name: "aws", version: "v1.8.0" },
    { kind: "InfrastructureProvider", name: "gcp", version: "v1.0.0" },
    { kind: "InfrastructureProvider", name: "asw", version: "v1.0.0" },
  ] as const;
  const downgrade = customPlan([core], [{ ...named[0], version: "v1.7.0" }]);
  await assert.rejects(downgrade, { message: /is v1\.8\.4, and v1\.7\.0 is older/ });
  await assert.rejects(customPlan([core, kubeadm, late], named), (error: Error) => {
    assert.match(error.message, /aws-system\/aws is v1\.8\.0 already/);
    assert.match(error.message, /InfrastructureProvider gcp is not there$/m);
    assert.match(error.message, /InfrastructureProvider asw is not there; did you mean aws\?$/m);
    assert.match(
      error.message,
      /kubeadm abides by v1beta1, and the core by v1beta2; name a version/,
    );
    return true;
  });
});
