import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changesBetween, isWorse, measureOurs, type OwnFigure } from "./compare.ts";

function own(value: number, better: "more" | "less" = "less"): OwnFigure {
  return { work: `work with ${better}`, unit: "ms", better, value };
}

describe("the comparison of two states", () => {
  it("measures our own sides alone, after one round to warm up", async () => {
    const values = [100, 1, 2, 9];
    const peer = { name: "peer", round: () => assert.fail("a peer was measured") };
    const ours = { name: "ours", round: () => values.shift() ?? Number.NaN };
    const work = { work: "starts", unit: "s", better: "less", ours, peers: [peer] } as const;
    const figures = await measureOurs({ rounds: 3, works: [work] });
    assert.deepEqual(figures, [{ work: "starts", unit: "s", better: "less", value: 2 }]);
  });

  it("takes the medians of all runs, and a ratio above 1 for what became better", () => {
    const before = [[own(10)], [own(30)], [own(20)]];
    const after = [[own(10)], [own(10)], [own(40)]];
    const [change] = changesBetween(before, after);
    assert.deepEqual([change?.before, change?.after, change?.ratio], [20, 10, 2]);
    const [more] = changesBetween([[own(20, "more")]], [[own(10, "more")]]);
    assert.equal(more?.ratio, 0.5);
  });

  it("leaves out a work that one of the states lacks", () => {
    const changes = changesBetween([[own(1)]], [[own(1), own(2, "more")]]);
    assert.deepEqual(
      changes.map(({ work }) => work),
      ["work with less"],
    );
  });

  it("finds a state worse beyond the tolerance, and where a figure is missing", () => {
    assert.deepEqual(
      [0.96, 0.95, Number.NaN].map((ratio) => isWorse({ ratio }, 0.05)),
      [false, true, true],
    );
  });
});
