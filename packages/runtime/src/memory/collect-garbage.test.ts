import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { collectStartGarbage, idleAfterWork } from "./collect-garbage.ts";

const file = new URL("./collect-garbage.ts", import.meta.url);
const script = `
const { collectGarbage } = await import(${JSON.stringify(file)});
let objects = Array.from({ length: 200_000 }, (_, index) => ({ index }));
const before = process.memoryUsage().heapUsed;
objects = undefined;
await collectGarbage();
process.stdout.write(String(before - process.memoryUsage().heapUsed));
`;
const freed = async (...flags: readonly string[]) => {
  const args = [...flags, "--input-type=module", "--eval", script];
  return Number((await promisify(execFile)(process.execPath, args)).stdout);
};

test("memory that nobody uses goes, whether or not Node was told to let programs say so", async () => {
  assert.ok((await freed("--expose-gc")) > 4_000_000);
  assert.ok((await freed()) > 4_000_000);
});

test("it is time to collect once a program rests after it has worked, and not before", () => {
  const isTime = idleAfterWork();
  // Each look sees the processor time since the start, in milliseconds.
  assert.equal(isTime(4_000), false, "it works");
  assert.equal(isTime(9_000), false, "it still works");
  assert.equal(isTime(9_200), true, "it rests");
  assert.equal(isTime(9_300), false, "it has done nothing since");
  assert.equal(isTime(12_500), false, "it works again");
  assert.equal(isTime(12_600), true, "it rests again");
});

test("what little is done at rest is collected now and then", () => {
  const isTime = idleAfterWork();
  const looks = Array.from({ length: 60 }, (_, index) => isTime(index * 100));
  assert.equal(looks.filter(Boolean).length, 1);
});

test("what starting took is collected when a program rests, and not while it works", async () => {
  const collectedAt: number[] = [];
  // Looked at before and after each time of 10 ms: it works in the first two, and rests in the third.
  const looks = [0, 9, 9, 18, 18, 18, 18, 18];
  let look = 0;
  await collectStartGarbage(new AbortController().signal, {
    momentsMs: [50, 50],
    collect: async () => void collectedAt.push(look),
    used: () => looks[look++] ?? 0,
  });
  assert.deepEqual(collectedAt, [6, 8]);
});

test("a program that ends is not collected", async () => {
  await collectStartGarbage(AbortSignal.abort(), {
    momentsMs: [50],
    collect: () => assert.fail("it has ended"),
    used: () => 0,
  });
});
