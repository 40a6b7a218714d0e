import assert from "node:assert/strict";
import { test } from "node:test";
import { contentHash } from "./content-hash.ts";

test("fields may be in any order and absent ones be undefined, items of a list may not", () => {
  assert.equal(contentHash({ a: 1, b: { c: 2, d: 3 } }), contentHash({ b: { d: 3, c: 2 }, a: 1 }));
  assert.equal(contentHash({ a: 1 }), contentHash({ a: 1, b: undefined }));
  assert.notEqual(contentHash([1, 2]), contentHash([2, 1]));
  assert.notEqual(contentHash({ a: 1 }), contentHash({ a: "1" }));
});
