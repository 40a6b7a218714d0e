import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFindings, fuzzPaths } from "./path-fuzz/run.ts";
import { startFuzzWorld } from "./path-fuzz/world.ts";

test("of 50,000 requests as nobody should write them, none gets more than its scope allows", async () => {
  // Each round has a world of its own: by and by, requests that are allowed delete what lies in the scope.
  for (let seed = 100; seed < 110; seed++) {
    await using world = await startFuzzWorld();
    const { findings, succeeded } = await fuzzPaths(world, { seed, count: 5_000 });
    assert.equal(describeFindings(findings), "", `seed ${seed}`);
    assert.ok(succeeded > 200, `${succeeded} of 5000 succeeded`);
  }
});
