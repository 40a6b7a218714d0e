import assert from "node:assert/strict";
import { test } from "node:test";
import {
  build,
  controlledBy,
  deletedAt,
  inNamespace,
  objectOf,
  ownedBy,
  stored,
  withAnnotations,
  withFinalizers,
  withLabels,
} from "./builders.ts";
import { FakeClock } from "./clock.ts";

const nest = objectOf("testing.rookery.dev/v1", "Nest", "a");

test("an object is what it is plus what is particular about it", () => {
  const owner = build(objectOf("v1", "Namespace", "x"), stored("1-2-3"));
  const built = build(
    nest,
    inNamespace("x"),
    withLabels({ color: "blue" }),
    withLabels({ size: "small" }),
    withAnnotations({ note: "frail" }),
    withFinalizers("testing.rookery.dev/eggs"),
    ownedBy(owner),
    controlledBy(owner),
    stored("4-5-6", "7"),
    deletedAt(new FakeClock("2026-03-01T12:00:00Z").date),
  );
  const reference = { apiVersion: "v1", kind: "Namespace", name: "x", uid: "1-2-3" };
  assert.deepEqual(built, {
    apiVersion: "testing.rookery.dev/v1",
    kind: "Nest",
    metadata: {
      name: "a",
      namespace: "x",
      labels: { color: "blue", size: "small" },
      annotations: { note: "frail" },
      finalizers: ["testing.rookery.dev/eggs"],
      ownerReferences: [reference, { ...reference, controller: true, blockOwnerDeletion: true }],
      uid: "4-5-6",
      resourceVersion: "7",
      generation: 1,
      deletionTimestamp: "2026-03-01T12:00:00Z",
    },
  });
});

test("what an object was built from is left as it was", () => {
  build(nest, withLabels({ color: "blue" }));
  assert.deepEqual(nest, objectOf("testing.rookery.dev/v1", "Nest", "a"));
});
