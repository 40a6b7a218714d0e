import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Provider } from "@rookery/api";
import type { Component } from "@rookery/components";
import type { InstallState, OwnedEntry } from "../state/install-state.ts";
import { intentOf } from "../state/release.ts";
import { entriesOf, isKept, needsNewRelease, ownedAfter, ownedWith } from "./policies.ts";

type Spec = NonNullable<Provider["spec"]>;

const provider = (spec: Spec): Provider => ({
  apiVersion: "management.cluster.x-k8s.io/v1alpha1",
  kind: "CoreProvider",
  metadata: { name: "cluster-api", namespace: "capi-system" },
  spec,
});
const spec: Spec = { version: "v1.0.0" };
const installed = (of: Spec, rest: Partial<InstallState> = {}): InstallState => ({
  owned: [],
  phase: "Stable",
  release: {
    id: "a",
    version: of.version ?? "",
    contract: "v1beta2",
    intent: intentOf({ spec: of }),
  },
  ...rest,
});
const failedOn = (of: Spec) =>
  ({ intent: intentOf({ spec: of }), message: "", outcome: "RolledBack" }) as const;

describe("whether a spec has to be rendered anew", () => {
  const other: Spec = { ...spec, deployment: { replicas: 2 } };
  const newer: Spec = { version: "v1.1.0" };
  const cases: Readonly<Record<string, readonly [Spec, InstallState, boolean, boolean]>> = {
    "nothing is installed": [spec, { owned: [], phase: "Stable" }, false, true],
    "nothing is installed, and it is paused": [spec, { owned: [], phase: "Stable" }, true, true],
    "it is what is installed": [spec, installed(spec), false, false],
    "another field differs": [other, installed(spec), false, true],
    "the version differs": [newer, installed(spec), false, true],
    "another field differs while it is paused": [other, installed(spec), true, false],
    "the version differs while it is paused": [newer, installed(spec), true, true],
    "it has failed before": [newer, installed(spec, { failed: failedOn(newer) }), false, false],
    "something else has failed before": [
      other,
      installed(spec, { failed: failedOn(newer) }),
      false,
      true,
    ],
    "it changes in the middle of an install": [
      newer,
      installed(spec, { phase: "Applying" }),
      false,
      true,
    ],
  };
  for (const [name, [asked, state, paused, expected]] of Object.entries(cases)) {
    test(name, () => assert.equal(needsNewRelease(provider(asked), state, paused), expected));
  }
});

describe("what may be in the cluster", () => {
  const component = (kind: string, name: string, apiVersion = "v1"): Component => ({
    apiVersion,
    kind,
    metadata: { name },
  });
  const names = (owned: readonly OwnedEntry[]) => owned.map(({ name }) => name);
  const before = entriesOf([
    component("Namespace", "ns"),
    component("CustomResourceDefinition", "old-crd", "apiextensions.k8s.io/v1"),
    component("ConfigMap", "old-config"),
    component("ConfigMap", "config"),
  ]).map((entry) => ({ ...entry, content: "x", fields: "y" }));
  const next = [component("Namespace", "ns"), component("ConfigMap", "config")];

  test("grows by what comes, each once, and knows nothing yet of how that was applied", () => {
    const owned = ownedWith(before, next);
    assert.deepEqual(names(owned), ["old-crd", "old-config", "ns", "config"]);
    assert.equal(owned.find(({ name }) => name === "config")?.fields, undefined);
  });

  test("shrinks to what was applied, and to what is kept for its users", () => {
    const owned = ownedAfter(ownedWith(before, next), entriesOf(next));
    assert.deepEqual(names(owned), ["old-crd", "ns", "config"]);
    assert.deepEqual(names(owned.filter(isKept)), ["old-crd", "ns"]);
  });
});
