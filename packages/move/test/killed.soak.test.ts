import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { makeFlock } from "./flock.ts";
import { KilledMoves } from "./killed-moves.ts";
import { ManagementCluster } from "./management-cluster.ts";

describe("a move of a whole flock that is killed, on a real API server", () => {
  const stack = new AsyncDisposableStack();
  let moves: KilledMoves;

  before(async () => {
    const pair = stack.use(await ManagementCluster.startPair());
    moves = new KilledMoves(pair, makeFlock);
  });
  after(() => stack.disposeAsync());

  it("goes on to the same end, killed after any of its requests", async () => {
    const killed = await moves.finishEvery(1);
    assert.ok(killed.length > 100, `a move took ${killed.length} requests only`);
  });

  it("rolls back to what was, killed after any of its requests, also twice", async () => {
    const outcomes = await moves.rollBackEvery(1);
    assert.ok(outcomes["was rolled back"] > 20, JSON.stringify(outcomes));
  });
});
