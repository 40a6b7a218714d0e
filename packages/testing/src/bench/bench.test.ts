import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { measure, type Work } from "./bench.ts";

/** The first value warms up and is not counted. */
function side(name: string, values: readonly number[], log: string[] = []) {
  let next = 0;
  const round = () => {
    log.push(name);
    return values[next++] ?? Number.NaN;
  };
  return { name, round };
}

function work(modifiers: Partial<Work>): Work {
  return {
    work: "requests",
    unit: "req/s",
    better: "more",
    ours: side("ours", [0, 10, 30, 20]),
    peers: [side("peer", [0, 10, 10, 10])],
    ...modifiers,
  };
}

describe("measure", () => {
  it("alternates the sides, after one round each to warm up", async () => {
    const log: string[] = [];
    const ours = side("ours", [1, 1, 1], log);
    const peers = [side("peer", [1, 1, 1], log)] as const;
    await measure(work({ ours, peers: [peers[0]] }), 2);
    assert.deepEqual(log, ["ours", "peer", "ours", "peer", "ours", "peer"]);
  });

  it("takes the median of each side and the ratio in our favour when more is better", async () => {
    const [row] = await measure(work({ goal: 2 }), 3);
    assert.equal(row?.ours, 20);
    assert.equal(row?.ratio, 2);
    assert.equal(row?.holds, true);
  });

  it("turns the ratio round when less is better", async () => {
    const [row] = await measure(work({ better: "less", unit: "ms", goal: 1 }), 3);
    assert.equal(row?.ratio, 0.5);
    assert.equal(row?.holds, false);
  });

  it("takes the mean of the middle two of an even number of rounds", async () => {
    const [row] = await measure(work({ ours: side("ours", [0, 10, 30]) }), 2);
    assert.equal(row?.ours, 20);
  });

  it("holds the goal against the first peer only", async () => {
    const peers = [side("first", [0, 5]), side("second", [0, 500])] as const;
    const rows = await measure(work({ peers: [...peers], goal: 2 }), 1);
    assert.deepEqual(
      rows.map(({ peerName, goal, holds }) => ({ peerName, goal, holds })),
      [
        { peerName: "first", goal: 2, holds: true },
        { peerName: "second", goal: null, holds: true },
      ],
    );
  });
});
