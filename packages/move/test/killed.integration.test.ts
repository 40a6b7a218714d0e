import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { makeSmallFlock, smallFlockKinds } from "./flock.ts";
import { KilledMoves } from "./killed-moves.ts";
import { ManagementCluster } from "./management-cluster.ts";

/**
 * On the embedded Kubernetes, since there are many requests; a real API server has some of them, in
 * `move.integration.test.ts`, and all of them in the soak.
 */
describe("a move that is killed", () => {
  const stack = new AsyncDisposableStack();
  let moves: KilledMoves;

  before(async () => {
    const options = { flavour: "embedded", kinds: smallFlockKinds } as const;
    const pair = stack.use(await ManagementCluster.startPair(options));
    moves = new KilledMoves(pair, makeSmallFlock);
  });
  after(() => stack.disposeAsync());

  it("goes on to the same end, killed after any of its requests", async () => {
    const killed = await moves.finishEvery(1);
    assert.ok(killed.length > 50, `a move took ${killed.length} requests only`);
  });

  it("rolls back to what was, killed after any third of its requests, also twice", async () => {
    const outcomes = await moves.rollBackEvery(3);
    assert.ok(outcomes["was rolled back"] > 2, JSON.stringify(outcomes));
    assert.ok(outcomes["was too far"] > 2, JSON.stringify(outcomes));
  });
});
