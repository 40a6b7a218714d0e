import assert from "node:assert/strict";
import { test } from "node:test";
import { CorrectionBackOff } from "./correction-back-off.ts";

test("an object that is changed again and again is corrected at once three times, then ever later", () => {
  let now = 0;
  const backOff = new CorrectionBackOff({ now: () => now });
  const waits: number[] = [];
  for (let round = 0; round < 12; round++) {
    const wait = backOff.secondsLeft("a");
    waits.push(wait);
    now += wait * 1000;
    backOff.corrected("a");
  }
  assert.deepEqual(waits, [0, 0, 0, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
  assert.equal(backOff.secondsLeft("b"), 0);
});

test("what stays as it is for long is corrected at once again", () => {
  let now = 0;
  const backOff = new CorrectionBackOff({ now: () => now });
  for (let round = 0; round < 8; round++) backOff.corrected("a");
  now += 30 * 60 * 1000;
  assert.equal(backOff.secondsLeft("a"), 0);
  backOff.corrected("a");
  assert.equal(backOff.secondsLeft("a"), 0);
});
