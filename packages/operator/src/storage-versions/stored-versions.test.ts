import assert from "node:assert/strict";
import { test } from "node:test";
import type { Component } from "@rookery/components";
import { storageVersionChanges } from "./stored-versions.ts";

function crd(name: string, ...versions: readonly string[]): Component {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
    spec: { versions: versions.map((version, index) => ({ name: version, storage: index === 0 })) },
  };
}

test("a definition that is stored in another version from now on is named", () => {
  const before = [crd("a", "v1beta1"), crd("b", "v1")];
  const after = [crd("a", "v1beta2", "v1beta1"), crd("b", "v1", "v2")];
  assert.deepEqual(storageVersionChanges(before, after), ["a"]);
});

test("a definition that is new, or gone, changes nothing", () => {
  assert.deepEqual(storageVersionChanges([crd("a", "v1")], [crd("b", "v2")]), []);
});

test("only definitions count", () => {
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  assert.deepEqual(storageVersionChanges([map], [map]), []);
});
