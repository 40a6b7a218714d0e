import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze, type KubeObject, type ObjectMeta } from "@rookery/kube";
import { FinalizerError } from "../errors.ts";
import { finalize } from "./finalize.ts";
import { hasFinalizer, isBeingDeleted, withFinalizer, withoutFinalizer } from "./finalizers.ts";

const deletionTimestamp = "2025-01-02T03:04:05Z";
const { signal } = new AbortController();

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

describe("finalize", () => {
  it("gives an object all finalizers, and runs none", async () => {
    const run = () => assert.fail("nothing is deleted");
    const { object: after, errors } = await finalize(
      object({ finalizers: ["other"] }),
      { "x/a": run, "x/b": run },
      signal,
    );
    assert.deepEqual(after.metadata.finalizers, ["other", "x/a", "x/b"]);
    assert.deepEqual(errors, []);
  });

  it("runs those that a deleted object has, in order, and keeps those of others", async () => {
    const ran: string[] = [];
    const finalizers = ["x/b", "other", "x/a"];
    const { object: after } = await finalize(
      object({ deletionTimestamp, finalizers }),
      {
        "x/a": async () => void ran.push("a"),
        "x/b": async () => void ran.push("b"),
        "x/c": async () => void ran.push("c"),
      },
      signal,
    );
    assert.deepEqual(ran, ["a", "b"]);
    assert.deepEqual(after.metadata.finalizers, ["other"]);
  });

  it("keeps a finalizer that fails, and goes on with the next", async () => {
    const cause = new Error("the machine is busy");
    const { object: after, errors } = await finalize(
      object({ deletionTimestamp, finalizers: ["x/a", "x/b"] }),
      { "x/a": () => Promise.reject(cause), "x/b": async () => {} },
      signal,
    );
    assert.deepEqual(after.metadata.finalizers, ["x/a"]);
    assert.equal(errors.length, 1);
    assert.ok(errors[0] instanceof FinalizerError);
    assert.equal(errors[0].message, "could not finalize x/a: the machine is busy");
    assert.equal(errors[0].cause, cause);
  });
});
