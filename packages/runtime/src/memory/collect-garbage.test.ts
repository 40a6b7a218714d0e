import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

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
