import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzServer } from "./fuzz-server-fixture.ts";

const rounds = 10;

for (let round = 0; round < rounds; round++) {
  test(`ten thousand requests of any kind are answered, round ${round + 1}`, async (t) => {
    const seed = Number(process.env.ROOKERY_SEED ?? Math.floor(Math.random() * 2 ** 30));
    t.diagnostic(`ROOKERY_SEED=${seed}`);
    const { answered, problems } = await fuzzServer({ seed, requests: 10_000 });
    t.diagnostic(`answers by status: ${JSON.stringify(answered)}`);
    assert.deepEqual(problems, [], `with ROOKERY_SEED=${seed}`);
  });
}
