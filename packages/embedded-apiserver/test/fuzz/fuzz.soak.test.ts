import assert from "node:assert/strict";
import { test } from "node:test";
import { fuzzServer } from "./fuzz-server.ts";

const rounds = 10;
const requests = 10_000;
/** Of the first round; each of the others makes its own requests, and names its own seed. */
const first = Number(process.env.ROOKERY_SEED ?? Math.floor(Math.random() * 2 ** 30));

for (let round = 0; round < rounds; round++) {
  test(`ten thousand requests of any kind are answered, round ${round + 1}`, async (t) => {
    const seed = first + round * requests;
    t.diagnostic(`ROOKERY_SEED=${seed}`);
    const { answered, problems } = await fuzzServer({ seed, requests });
    t.diagnostic(`answers by status: ${JSON.stringify(answered)}`);
    assert.deepEqual(problems, [], `with ROOKERY_SEED=${seed}`);
  });
}
