import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { renewalTime } from "./validity.ts";

const validity = {
  notBefore: new Date("2030-01-01T00:00:00Z"),
  notAfter: new Date("2030-01-04T00:00:00Z"),
};

describe("the renewal of a certificate", () => {
  test("comes after two thirds of its lifetime", () => {
    assert.equal(renewalTime(validity).toISOString(), "2030-01-03T00:00:00.000Z");
  });

  test("comes earlier by a share of its lifetime", () => {
    assert.equal(renewalTime(validity, 0.25).toISOString(), "2030-01-02T06:00:00.000Z");
  });

  test("always lies within the lifetime and never after two thirds of it", () => {
    const time = fc.integer({ min: 0, max: 4e9 }).map((seconds) => new Date(seconds * 1000));
    const share = fc.double({ min: 0, max: 2 / 3, noNaN: true });
    fc.assert(
      fc.property(time, time, share, (notBefore, notAfter, earlier) => {
        fc.pre(notBefore <= notAfter);
        const due = renewalTime({ notBefore, notAfter }, earlier);
        const latest = notBefore.getTime() + (2 / 3) * (notAfter.getTime() - notBefore.getTime());
        assert.ok(due >= notBefore && due.getTime() <= latest);
      }),
    );
  });
});
