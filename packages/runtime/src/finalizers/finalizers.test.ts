import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze, type KubeObject, type ObjectMeta } from "@rookery/kube";
import { hasFinalizer, isBeingDeleted, withFinalizer, withoutFinalizer } from "./finalizers.ts";

const deletionTimestamp = "2025-01-02T03:04:05Z";

function object(metadata: ObjectMeta): KubeObject {
  return deepFreeze({ apiVersion: "v1", kind: "Pod", metadata: { name: "a", ...metadata } });
}

describe("a finalizer", () => {
  it("is added at the end, once", () => {
    const before = object({ finalizers: ["x/a"] });
    const after = withFinalizer(before, "x/b");
    assert.deepEqual(after.metadata.finalizers, ["x/a", "x/b"]);
    assert.equal(withFinalizer(after, "x/b"), after);
    assert.deepEqual(before.metadata.finalizers, ["x/a"]);
    assert.deepEqual(withFinalizer(object({}), "x/a").metadata.finalizers, ["x/a"]);
  });

  it("is not added to an object that is being deleted: the server refuses that", () => {
    const deleted = object({ deletionTimestamp });
    assert.ok(isBeingDeleted(deleted));
    assert.equal(withFinalizer(deleted, "x/a"), deleted);
  });

  it("is removed, wherever it stands and however often", () => {
    const before = object({ finalizers: ["x/a", "x/b", "x/a"] });
    assert.deepEqual(withoutFinalizer(before, "x/a").metadata.finalizers, ["x/b"]);
    assert.equal(withoutFinalizer(before, "x/c"), before);
    assert.ok(hasFinalizer(before, "x/b"));
    assert.ok(!hasFinalizer(object({}), "x/b"));
  });
});
