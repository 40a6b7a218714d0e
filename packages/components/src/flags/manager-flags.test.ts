import assert from "node:assert/strict";
import { test } from "node:test";
import { flagName, managerFlags, scopeFlagsOf } from "./manager-flags.ts";

test("a release that was read has just its flags, in all its patches", () => {
  const flags = managerFlags("cluster-api", "v1.13.2");
  assert.ok(flags.complete);
  assert.ok(flags.names.has("diagnostics-address"));
  assert.ok(!flags.names.has("metrics-bind-addr"));
  assert.equal(flags.concurrency.get("machine-concurrency"), 100);
});

test("a version between two releases surely has the flags that both have", () => {
  const flags = managerFlags("cluster-api", "v1.10.0");
  assert.equal(flags.complete, false);
  assert.ok(flags.names.has("sync-period"));
  assert.ok(!flags.names.has("clustercache-concurrency"));
  assert.ok(!flags.names.has("clustercachetracker-concurrency"));
});

test("a version newer than all has the newest flags, and maybe others", () => {
  const flags = managerFlags("bootstrap-kubeadm", "v1.20.0");
  assert.equal(flags.complete, false);
  assert.ok(flags.names.has("tls-curve-preferences"));
});

test("of older versions and unknown providers nothing is known", () => {
  for (const [label, version] of [
    ["cluster-api", "v0.3.10"],
    ["infrastructure-nobody", "v1.0.0"],
    ["constructor", "v1.0.0"],
    ["cluster-api", "main"],
  ] as const) {
    assert.equal(managerFlags(label, version).names.size, 0);
  }
});

test("a flag that does nothing is not counted as concurrency", () => {
  const flags = managerFlags("bootstrap-kubeadm", "v1.8.4");
  assert.ok(flags.names.has("cluster-concurrency"));
  assert.deepEqual(
    [...flags.concurrency.keys()],
    ["clustercachetracker-concurrency", "kubeadmconfig-concurrency"],
  );
});

test("names are compared as managers compare them", () => {
  assert.equal(flagName("--sync_period"), "sync-period");
  assert.equal(flagName("v"), "v");
});

const scopes: Readonly<Record<string, [label: string, version: string, expected: string]>> = {
  "Rookery's own managers take any namespaces": ["infrastructure-vsphere", "v0.3.0", "repeated"],
  "its first release did so, too": ["infrastructure-vsphere", "v0.1.0", "repeated"],
  "stock managers take one namespace": ["cluster-api", "v1.13.6", "single"],
  "of a manager that nobody knows nothing is sure": ["infrastructure-nobodys", "v1.0.0", "none"],
};
for (const [sentence, [label, version, expected]] of Object.entries(scopes)) {
  test(sentence, () => assert.equal(scopeFlagsOf(managerFlags(label, version)), expected));
}
