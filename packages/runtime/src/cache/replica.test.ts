import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { asReadOnly } from "./replica.ts";

describe("what is made read-only", () => {
  it("throws wherever it is written to", () => {
    const object = asReadOnly({ metadata: { labels: { a: "b" } }, list: [{ x: 1 }], none: {} });
    assert.throws(() => Object.assign(object.metadata.labels, { a: "c" }), TypeError);
    assert.throws(() => object.list.push({ x: 2 }), TypeError);
    assert.throws(() => Object.assign(object.list[0] ?? {}, { x: 2 }), TypeError);
    assert.throws(() => Object.assign(object.none, { x: 2 }), TypeError);
    assert.throws(() => Object.assign(object, { y: 2 }), TypeError);
  });

  it("shares one empty object, and no empty list", () => {
    const object = asReadOnly({ a: {}, b: { c: {} }, d: [{}], e: [] });
    assert.equal(object.a, object.b.c);
    assert.equal(object.a, object.d[0]);
    assert.deepEqual(object.e, []);
  });

  it("is what it was", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: unknown = JSON.parse(text);
        if (typeof value !== "object" || value === null) return;
        assert.deepEqual(asReadOnly(value), JSON.parse(text));
      }),
    );
  });
});
