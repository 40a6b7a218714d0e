import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Kubernetes, ownOptions, realOptions, startKubernetes } from "@rookery/testing";
import { type Comparison, compare } from "./conformance/compare.ts";
import { explained } from "./conformance/explained.ts";

describe("exchanges with a real API server and with the embedded one", () => {
  let real: Kubernetes;
  let own: Kubernetes;
  let comparison: Comparison;

  before(async () => {
    [real, own] = await Promise.all([startKubernetes(realOptions), startKubernetes(ownOptions)]);
    comparison = await compare(real, own);
  });
  after(async () => {
    await Promise.all([real, own].map((kubernetes) => kubernetes?.[Symbol.asyncDispose]()));
  });

  it("are more than 400, and at least 98 of 100 are answered alike", () => {
    const { compared, differences } = comparison;
    assert.ok(compared >= 400, `${compared} exchanges`);
    assert.ok(differences.length <= compared * 0.02, `${differences.length} of ${compared} differ`);
  });

  it("differ only where it is explained", () => {
    const unexplained = comparison.differences.filter(
      ({ exchange }) => !explained.some(([pattern]) => pattern.test(exchange)),
    );
    assert.deepEqual(unexplained, []);
  });

  it("differ wherever it is said that they do", () => {
    const idle = explained.filter(
      ([pattern]) => !comparison.differences.some(({ exchange }) => pattern.test(exchange)),
    );
    assert.deepEqual(idle, []);
  });
});
