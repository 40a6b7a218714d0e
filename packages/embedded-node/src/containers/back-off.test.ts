import assert from "node:assert/strict";
import { test } from "node:test";
import { BackOff, kubeletBackOff } from "./back-off.ts";

test("the first restart is at once, the others wait twice as long each, up to five minutes", () => {
  const backOff = new BackOff(kubeletBackOff);
  const waits = Array.from({ length: 8 }, () => backOff.next(1_000_000) / 1000);
  assert.deepEqual(waits, [0, 10, 20, 40, 80, 160, 300, 300]);
});

test("who went on for ten minutes is forgiven", () => {
  const backOff = new BackOff(kubeletBackOff);
  for (let count = 0; count < 4; count += 1) backOff.next(1_000_000);
  assert.equal(backOff.next(1_000_000 + 590_000), 80_000);
  assert.equal(backOff.next(1_000_000 + 590_000 + 160_000 + 601_000), 0);
});
