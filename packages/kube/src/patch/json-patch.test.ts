import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { PatchError } from "../errors.ts";
import { deepEqual, deepFreeze } from "../object/deep.ts";
import { applyJsonPatch, createJsonPatch, type JsonPatchOperation } from "./json-patch.ts";

const document = deepFreeze({
  a: { b: 1, "x/y": 2, "m~n": 3, nothing: null },
  list: ["zero", "one", "two"],
});

function apply(...operations: unknown[]): unknown {
  return applyJsonPatch(document, operations as JsonPatchOperation[]);
}

describe("applyJsonPatch does what kube-apiserver 1.34 does", () => {
  const rows: Record<string, [operations: unknown[], expected: unknown]> = {
    "adds a key": [
      [{ op: "add", path: "/a/c", value: 4 }],
      { ...document, a: { ...document.a, c: 4 } },
    ],
    "adds over an existing key": [
      [{ op: "add", path: "/list", value: [] }],
      { ...document, list: [] },
    ],
    "inserts into a list": [
      [{ op: "add", path: "/list/1", value: "x" }],
      { ...document, list: ["zero", "x", "one", "two"] },
    ],
    "appends by a dash": [
      [{ op: "add", path: "/list/-", value: "x" }],
      { ...document, list: ["zero", "one", "two", "x"] },
    ],
    "appends at the end by the index": [
      [{ op: "add", path: "/list/3", value: "x" }],
      { ...document, list: ["zero", "one", "two", "x"] },
    ],
    "counts a negative index from the end": [
      [{ op: "remove", path: "/list/-1" }],
      { ...document, list: ["zero", "one"] },
    ],
    "adds null where the value is missing": [
      [{ op: "add", path: "/list", value: undefined }],
      { ...document, list: null },
    ],
    "removes an escaped key": [
      [
        { op: "remove", path: "/a/x~1y" },
        { op: "remove", path: "/a/m~0n" },
      ],
      { ...document, a: { b: 1, nothing: null } },
    ],
    "replaces a key that is not there, as it would add it": [
      [{ op: "replace", path: "/new", value: 1 }],
      { ...document, new: 1 },
    ],
    "replaces the whole document": [[{ op: "replace", path: "", value: { z: 1 } }], { z: 1 }],
    moves: [
      [{ op: "move", from: "/list/0", path: "/a/b" }],
      { a: { ...document.a, b: "zero" }, list: ["one", "two"] },
    ],
    copies: [
      [{ op: "copy", from: "/list", path: "/a/b" }],
      { ...document, a: { ...document.a, b: ["zero", "one", "two"] } },
    ],
    "copies an absent key as null": [
      [{ op: "copy", from: "/absent", path: "/a/b" }],
      { ...document, a: { ...document.a, b: null } },
    ],
    "tests a value with its keys in any order": [
      [{ op: "test", path: "/a", value: { nothing: null, "m~n": 3, "x/y": 2, b: 1 } }],
      document,
    ],
    "tests null where there is nothing": [[{ op: "test", path: "/absent", value: null }], document],
    "sees what the operation before did": [
      [
        { op: "add", path: "/new", value: {} },
        { op: "add", path: "/new/deep", value: 1 },
        { op: "test", path: "/new", value: { deep: 1 } },
      ],
      { ...document, new: { deep: 1 } },
    ],
    "takes a pointer without a leading slash from its first slash on": [
      [{ op: "remove", path: "ignored/list" }],
      { a: document.a },
    ],
  };
  for (const [name, [operations, expected]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(apply(...operations), expected));
  }
});

describe("applyJsonPatch refuses in kube-apiserver's words", () => {
  const rows: Record<string, [operation: unknown, reason: string]> = {
    "a missing parent": [
      { op: "add", path: "/no/where", value: 1 },
      'add operation does not apply: doc is missing path: "/no/where": missing value',
    ],
    "a parent that is null": [
      { op: "add", path: "/a/nothing/x", value: 1 },
      'add operation does not apply: doc is missing path: "/a/nothing/x": missing value',
    ],
    "a parent that is a number": [
      { op: "add", path: "/a/b/c", value: 1 },
      'add operation does not apply: doc is missing path: "/a/b/c": missing value',
    ],
    "an index past the end": [
      { op: "add", path: "/list/4", value: 1 },
      "error in add for path: '/list/4': Unable to access invalid index: 4: invalid index referenced",
    ],
    "a word for an index": [
      { op: "add", path: "/list/x", value: 1 },
      "error in add for path: '/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
    ],
    "removing what is not there": [
      { op: "remove", path: "/a/absent" },
      "error in remove for path: '/a/absent': Unable to remove nonexistent key: absent: missing value",
    ],
    "removing what is inherited": [
      { op: "remove", path: "/a/toString" },
      "error in remove for path: '/a/toString': Unable to remove nonexistent key: toString: missing value",
    ],
    "removing past the end": [
      { op: "remove", path: "/list/3" },
      "error in remove for path: '/list/3': Unable to access invalid index: 3: invalid index referenced",
    ],
    "replacing past the end": [
      { op: "replace", path: "/list/3", value: 1 },
      "replace operation does not apply: doc is missing key: /list/3: missing value",
    ],
    "replacing the dash": [
      { op: "replace", path: "/list/-", value: 1 },
      "replace operation does not apply: doc is missing key: /list/-: missing value",
    ],
    "a test that fails": [
      { op: "test", path: "/a/b", value: 2 },
      "testing value /a/b failed: test failed",
    ],
    "a test without a parent": [
      { op: "test", path: "/no/where", value: 2 },
      "test operation does not apply: is missing path: /no/where: missing value",
    ],
    "moving what is not there": [
      { op: "move", from: "/absent", path: "/b" },
      "error in move for path: 'absent': Unable to remove nonexistent key: absent: missing value",
    ],
    "moving into itself": [
      { op: "move", from: "/a", path: "/a/b" },
      "move operation does not apply: doc is missing destination path: /a/b: missing value",
    ],
    "no from": [
      { op: "copy", path: "/b" },
      "copy operation failed to decode from: operation, missing from field: missing value",
    ],
    "no path": [{ op: "remove" }, "remove operation failed to decode path: missing value"],
    "adding the whole document": [
      { op: "add", path: "", value: {} },
      'add operation does not apply: doc is missing path: "": missing value',
    ],
    "an unknown operation": [{ op: "merge", path: "/a" }, "Unexpected kind: merge"],
    "no operation": [{ path: "/a" }, "Unexpected kind: unknown"],
  };
  for (const [name, [operation, reason]] of Object.entries(rows)) {
    it(name, () => {
      assert.throws(
        () => apply(operation),
        (error) =>
          error instanceof PatchError && error.reason === reason && error.httpStatus === 422,
      );
    });
  }

  it("a patch that is no list of objects, with 400", () => {
    for (const patch of [{}, null, "x", [1]]) {
      assert.throws(
        () => applyJsonPatch(document, patch as unknown as JsonPatchOperation[]),
        (error) => error instanceof PatchError && error.httpStatus === 400,
      );
    }
  });

  it("copies that would grow the document without end", () => {
    const doubling = Array.from({ length: 40 }, (_, i) => ({
      op: "copy",
      from: "/a",
      path: `/a/copy${i}`,
    }));
    assert.throws(() => apply(...doubling), /exceeding the limit 3145728/);
  });
});

describe("properties", () => {
  it("a patch that was created turns the one document into the other", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const original = deepFreeze({ value: a });
        const modified = { value: b };
        const patched = applyJsonPatch(original, createJsonPatch(original, modified));
        assert.ok(deepEqual(patched, modified));
      }),
    );
  });

  it("__proto__ is a key like any other", () => {
    const patched = apply({ op: "add", path: "/__proto__", value: { polluted: true } });
    assert.ok(Object.hasOwn(patched as object, "__proto__"));
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
});

it("a patch that moves the items of a long list again and again is refused", () => {
  const document = { list: Array.from({ length: 100_000 }, () => 1) };
  const patch = Array.from({ length: 10_000 }, () => ({ op: "remove", path: "/list/1" }) as const);
  assert.throws(() => applyJsonPatch(document, patch), /too many items of long lists; replace/);
  assert.doesNotThrow(() => applyJsonPatch(document, patch.slice(0, 1000)));
});
