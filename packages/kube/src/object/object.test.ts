import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { AlreadyOwnedError, OwnerNamespaceError, ParseError } from "../errors.ts";
import { deepCopy, deepEqual, deepFreeze } from "./deep.ts";
import { formatObjectKey, objectKeyOf, parseObjectKey } from "./key.ts";
import type { KubeObject, ObjectMeta } from "./object.ts";
import * as owners from "./owner-references.ts";

function object(metadata: ObjectMeta, apiVersion = "v1", kind = "Pod"): KubeObject {
  return { apiVersion, kind, metadata };
}

describe("object keys", () => {
  it("have a namespace only where the object has one", () => {
    assert.deepEqual(objectKeyOf(object({ namespace: "ns", name: "x" })), {
      namespace: "ns",
      name: "x",
    });
    assert.deepEqual(objectKeyOf(object({ namespace: "", name: "x" })), { name: "x" });
  });

  it("are read back as they are written", () => {
    for (const key of [{ namespace: "ns", name: "x" }, { name: "x" }]) {
      assert.deepEqual(parseObjectKey(formatObjectKey(key)), key);
    }
  });

  it("are refused with two slashes", () => {
    assert.throws(() => parseObjectKey("a/b/c"), ParseError);
  });
});

describe("deepEqual", () => {
  const rows: Record<string, [a: unknown, b: unknown, equal: boolean]> = {
    "the order of keys does not matter": [
      { a: 1, b: { c: 2, d: 3 } },
      { b: { d: 3, c: 2 }, a: 1 },
      true,
    ],
    "the order of items does": [[1, 2], [2, 1], false],
    "a key without a value is no key": [{ a: undefined }, {}, true],
    "null is a value": [{ a: null }, {}, false],
    "an inherited key is no key": [{ toString: 1 }, {}, false],
    "a list is no object": [[], {}, false],
    "null is no object": [null, {}, false],
    "numbers are no strings": [1, "1", false],
    "the zeros are one": [0, -0, true],
  };
  for (const [name, [a, b, equal]] of Object.entries(rows)) {
    it(name, () => {
      assert.equal(deepEqual(a, b), equal);
      assert.equal(deepEqual(b, a), equal);
    });
  }

  it("holds for every copy, which shares nothing with its original", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = deepCopy(value);
        assert.ok(deepEqual(copy, value));
        assert.equal(JSON.stringify(copy), JSON.stringify(value));
        if (typeof value === "object" && value !== null) assert.notEqual(copy, value);
      }),
    );
  });

  it("a copy keeps __proto__ as a plain key", () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":true}}');
    assert.ok(deepEqual(deepCopy(value), value));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
});

describe("deepFreeze", () => {
  it("makes every write throw, at any depth, and copies are free again", () => {
    const frozen = deepFreeze({ metadata: { labels: { a: "b" }, finalizers: ["x"] } });
    assert.throws(() => {
      frozen.metadata.labels.a = "c";
    }, TypeError);
    assert.throws(() => frozen.metadata.finalizers.push("y"), TypeError);
    const copy = deepCopy(frozen);
    copy.metadata.labels.a = "c";
    assert.equal(frozen.metadata.labels.a, "b");
  });
});

describe("owner references", () => {
  const owner = object({ namespace: "ns", name: "o", uid: "1" }, "apps/v1", "ReplicaSet");
  const other = object({ namespace: "ns", name: "p", uid: "2" }, "apps/v1", "ReplicaSet");
  const pod = deepFreeze(object({ namespace: "ns", name: "x" }));

  it("a controller reference blocks the owner's deletion", () => {
    const owned = owners.withControllerReference(pod, owner);
    assert.deepEqual(owned.metadata.ownerReferences, [
      {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        name: "o",
        uid: "1",
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    assert.ok(owners.isControlledBy(owned, owner));
    assert.ok(!owners.isControlledBy(owned, other));
    assert.equal(pod.metadata.ownerReferences, undefined);
  });

  it("a second controller is refused, and the error names the first", () => {
    const owned = owners.withControllerReference(pod, owner);
    assert.throws(
      () => owners.withControllerReference(owned, other),
      (error) =>
        error instanceof AlreadyOwnedError &&
        error.owner.uid === "1" &&
        error.message ===
          "could not own ns/x: it is already owned by another ReplicaSet controller o",
    );
  });

  it("the same owner in another version, or made anew, takes its own place", () => {
    const owned = owners.withControllerReference(owners.withOwnerReference(pod, other), owner);
    const renewed = object({ namespace: "ns", name: "o", uid: "9" }, "apps/v2", "ReplicaSet");
    const again = owners.withControllerReference(owned, renewed);
    assert.deepEqual(
      again.metadata.ownerReferences?.map(({ apiVersion, uid }) => [apiVersion, uid]),
      [
        ["apps/v1", "2"],
        ["apps/v2", "9"],
      ],
    );
    assert.ok(!owners.isControlledBy(again, owner));
  });

  it("the same kind and name in another group is another owner", () => {
    const foreign = object({ namespace: "ns", name: "o", uid: "1" }, "other/v1", "ReplicaSet");
    const owned = owners.withOwnerReference(pod, owner);
    assert.ok(!owners.hasOwnerReference(owned, foreign));
    assert.equal(owners.withOwnerReference(owned, foreign).metadata.ownerReferences?.length, 2);
  });

  it("an owner is removed, and removing none changes nothing", () => {
    const owned = owners.withOwnerReference(pod, owner);
    assert.deepEqual(owners.withoutOwnerReference(owned, owner).metadata.ownerReferences, []);
    assert.equal(owners.withoutOwnerReference(owned, other), owned);
  });

  it("an owner in another namespace is refused, a cluster-scoped one is not", () => {
    const far = object({ namespace: "far", name: "o", uid: "1" });
    assert.throws(() => owners.withOwnerReference(pod, far), OwnerNamespaceError);
    assert.throws(
      () => owners.withOwnerReference(object({ name: "x" }), far),
      /cluster-scoped resource must not have a namespace-scoped owner, owner's namespace far/,
    );
    assert.ok(owners.withOwnerReference(pod, object({ name: "o", uid: "1" })));
  });

  it("a malformed apiVersion matches nothing", () => {
    const broken = { apiVersion: "a/b/c", kind: "K", name: "n", uid: "u" };
    assert.ok(!owners.isSameOwner(broken, broken));
  });
});
