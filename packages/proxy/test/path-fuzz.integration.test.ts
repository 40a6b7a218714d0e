import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { compareHonest } from "./path-fuzz/honest.ts";
import { walkPages } from "./path-fuzz/pages.ts";
import { describeFindings, fuzzPaths } from "./path-fuzz/run.ts";
import { type FuzzWorld, startFuzzWorld } from "./path-fuzz/world.ts";

describe("requests as nobody should write them", () => {
  let world: FuzzWorld;
  before(async () => {
    world = await startFuzzWorld();
  });
  after(() => world?.[Symbol.asyncDispose]());

  test("those that are inside of the scope are answered as the API server answers", () =>
    compareHonest(world, { seed: 34, count: 200 }));

  test("no page of a list names an object of others, nor does its token", () => walkPages(world));

  test("none gets more by a proxy than its scope and its groups allow", async () => {
    const { findings, answered, succeeded } = await fuzzPaths(world, { seed: 21, count: 2_000 });
    assert.equal(describeFindings(findings), "");
    // That nothing gets through would be so, too, if all were refused.
    assert.ok(answered > 1_200, `${answered} of 2000 were answered`);
    assert.ok(succeeded > 100, `${succeeded} of 2000 succeeded`);
  });
});
