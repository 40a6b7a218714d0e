import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { PatchError } from "../errors.ts";
import { deepFreeze } from "../object/deep.ts";
import { applyMergePatch, createMergePatch } from "./merge-patch.ts";

describe("applyMergePatch does what kube-apiserver 1.34 does", () => {
  const rows: Record<string, [document: unknown, patch: unknown, expected: unknown]> = {
    "sets and adds": [{ a: 1 }, { a: 2, b: 3 }, { a: 2, b: 3 }],
    "removes by null": [{ a: 1, b: 2 }, { a: null, absent: null }, { b: 2 }],
    "merges objects": [{ a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
    "replaces lists": [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    "puts an object in place of a value": [{ a: 1 }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    "puts a value in place of an object": [{ a: { b: 1 } }, { a: 1 }, { a: 1 }],
    "drops nulls of what is new, but not of lists": [
      {},
      { a: { b: null, c: [null, { d: null, e: 1 }] } },
      { a: { c: [null, { e: 1 }] } },
    ],
    "keeps nulls in a list that replaces an object": [
      { a: {} },
      { a: [{ b: null }] },
      { a: [{ b: null }] },
    ],
    "merges into what was null": [{ a: null }, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    "keeps what the patch does not name": [{ a: null, b: 1 }, {}, { a: null, b: 1 }],
  };
  for (const [name, [document, patch, expected]] of Object.entries(rows)) {
    it(name, () => {
      assert.deepEqual(applyMergePatch(deepFreeze(document), deepFreeze(patch)), expected);
    });
  }

  it("refuses a patch that is no object", () => {
    for (const patch of [null, 1, "x", true]) {
      assert.throws(
        () => applyMergePatch({}, patch),
        (error) => error instanceof PatchError && error.reason === "Invalid JSON Patch",
      );
    }
  });

  it("takes __proto__ for a key like any other", () => {
    const patch: unknown = JSON.parse('{"__proto__":{"polluted":true}}');
    assert.ok(Object.hasOwn(applyMergePatch({}, patch) as object, "__proto__"));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
});

describe("createMergePatch", () => {
  const rows: Record<string, [original: object, modified: object, patch: object]> = {
    "is empty for equal objects, whatever the order of keys": [
      { a: 1, b: { c: 2, d: [1] } },
      { b: { d: [1], c: 2 }, a: 1 },
      {},
    ],
    "names only what changed": [
      { a: { b: 1, c: 2 }, d: 4 },
      { a: { b: 1, c: 3 }, d: 4 },
      { a: { c: 3 } },
    ],
    "removes by null": [{ a: 1, b: { c: 1 } }, { b: {} }, { a: null, b: { c: null } }],
    "replaces a list as a whole": [{ a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
    "takes a key without a value for no key": [{ a: 1 }, { a: undefined }, { a: null }],
    "replaces what changed its type": [{ a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
  };
  for (const [name, [original, modified, patch]] of Object.entries(rows)) {
    it(name, () => {
      assert.deepEqual(createMergePatch(deepFreeze(original), deepFreeze(modified)), patch);
    });
  }

  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<unknown>(0, 1, "", "x", true),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "__proto__"), tie("value"), {
        noNullPrototype: true,
      }),
    ),
  }));
  const object = fc.dictionary(fc.constantFrom("a", "b", "c"), value, { noNullPrototype: true });

  it("makes a patch that turns the one object into the other", () => {
    fc.assert(
      fc.property(object, object, (original, modified) => {
        const patch = createMergePatch(deepFreeze(original), deepFreeze(modified));
        assert.deepEqual(applyMergePatch(original, patch), modified);
      }),
    );
  });
});
