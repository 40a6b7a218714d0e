import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { renewalTime } from "./renewal.ts";

const validity = {
  notBefore: new Date("2030-01-01T00:00:00Z"),
  notAfter: new Date("2030-01-04T00:00:00Z"),
};

describe("the renewal of a certificate", () => {
  test("comes after two thirds of its lifetime", () => {
    assert.equal(renewalTime(validity).toISOString(), "2030-01-03T00:00:00.000Z");
  });

  test("comes at the fraction asked for, earlier by the jitter", () => {
    const early = renewalTime(validity, { fraction: 0.5, jitter: 0.25, random: 1 });
    assert.equal(early.toISOString(), "2030-01-01T18:00:00.000Z");
  });

  test("always lies within the lifetime and never after the fraction", () => {
    const time = fc.integer({ min: 0, max: 4e9 }).map((seconds) => new Date(seconds * 1000));
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(time, time, fc.tuple(part, part, part), (notBefore, notAfter, parts) => {
        fc.pre(notBefore <= notAfter && parts[0] > 0);
        const [fraction, share, random] = parts;
        const due = renewalTime(
          { notBefore, notAfter },
          { fraction, jitter: share * fraction, random },
        );
        const latest = notBefore.getTime() + fraction * (notAfter.getTime() - notBefore.getTime());
        assert.ok(due >= notBefore && due.getTime() <= latest);
      }),
    );
  });

  test("can't be planned with fractions that are none", () => {
    for (const options of [{ fraction: 0 }, { fraction: 1.1 }, { fraction: 0.5, jitter: 0.6 }]) {
      assert.throws(() => renewalTime(validity, options), { code: "InvalidLifetime" });
    }
    assert.throws(() => renewalTime(validity, { fraction: Number.NaN }), {
      code: "InvalidLifetime",
    });
  });
});
