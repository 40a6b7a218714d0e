import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { canonicalJson, encodeHash, fnv32, templateHash } from "./hash.ts";

describe("hashes", () => {
  it("are those of FNV-1", () => {
    assert.equal(fnv32(Buffer.from("")), 0x811c9dc5);
    assert.equal(fnv32(Buffer.from("foobar")), 0x31f0b262);
  });

  it("are written in letters of which no words come", () => {
    // The digits "0" to "9" are the bytes 48 to 57, and there are 27 letters.
    assert.equal(encodeHash(1234567890), "56789bcdf4");
    assert.match(encodeHash(4294967295), /^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
  });

  it("do not depend on the order of fields, but on the count of collisions", () => {
    const hash = templateHash({ a: 1, b: [{ c: 2, d: 3 }] }, undefined);
    assert.equal(templateHash({ b: [{ d: 3, c: 2 }], a: 1 }, undefined), hash);
    assert.notEqual(templateHash({ a: 1, b: [{ c: 2, d: 3 }] }, 1), hash);
  });
});

it("JSON is written as Go writes maps", () => {
  assert.equal(
    canonicalJson({ b: "<&>", a: [null, true] }),
    '{"a":[null,true],"b":"\\u003c\\u0026\\u003e"}',
  );
});
