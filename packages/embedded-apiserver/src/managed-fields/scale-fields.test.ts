import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ManagedFieldsEntry } from "@rookery/kube";
import { entriesOfScale, entriesOfScaled, type ReplicasPaths } from "./scale-fields.ts";

const paths: ReplicasPaths = new Map<string, readonly string[] | undefined>([
  ["apps/v1", ["spec", "size"]],
  ["apps/v0", undefined],
]);

const time = "2024-05-06T07:08:09Z";

function entry(manager: string, fieldsV1: object, more: Partial<ManagedFieldsEntry> = {}) {
  const base = { manager, operation: "Update", apiVersion: "apps/v1", time } as const;
  return { ...base, fieldsType: "FieldsV1", fieldsV1, ...more };
}

const size = { "f:spec": { "f:size": {} } };
const replicas = { "f:spec": { "f:replicas": {} } };
const inScale = { apiVersion: "autoscaling/v1" };

describe("the replicas of an object", () => {
  const before = [
    entry("ann", { "f:spec": { "f:name": {}, "f:size": {} } }),
    entry("ben", { "f:spec": { "f:name": {} } }),
    entry("cat", size, { apiVersion: "apps/v0" }),
    entry("dan", size, { apiVersion: "gone/v1" }),
  ];

  test("are owned in its Scale by who owns them", () => {
    assert.deepEqual(entriesOfScale(before, paths), [entry("ann", replicas, inScale)]);
    assert.equal(entriesOfScale(undefined, paths), undefined);
  });

  test("are lost to who takes them there, who has no time", () => {
    const scale = [entry("zoe", replicas, { ...inScale, subresource: "scale" })];
    const { time: _, ...taken } = entry("zoe", size, { subresource: "scale" });
    assert.deepEqual(entriesOfScaled({ before, scale, apiVersion: "apps/v1" }, paths), [
      taken,
      entry("ann", { "f:spec": { "f:name": {} } }),
      entry("ben", { "f:spec": { "f:name": {} } }),
      entry("cat", size, { apiVersion: "apps/v0" }),
    ]);
  });

  test("stay with who had them and still has", () => {
    const scale = [entry("ann", replicas, inScale)];
    const [first] = entriesOfScaled({ before, scale: [], apiVersion: "apps/v1" }, paths) ?? [];
    assert.deepEqual(first?.fieldsV1, { "f:spec": { "f:name": {} } });
    const [kept] = entriesOfScaled({ before, scale, apiVersion: "apps/v1" }, paths) ?? [];
    assert.equal(kept?.manager, "ann");
  });
});
