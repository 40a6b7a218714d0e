import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { cpuSecondsOf, longestFirst, usageTable } from "./usage.ts";

describe("what test files take", () => {
  it("is read from /proc, whatever a process is called", () => {
    const stat = `7 (a ) b) S 1 7 7 0 -1 0 0 0 0 0 150 50 1000 ${"234 ".repeat(40)}`;
    assert.deepEqual(cpuSecondsOf(stat), { own: 2, children: 12.34 });
  });

  it("has the longest begin first, after those that nobody knows", () => {
    const known = { "b.test.ts": 3, "c.test.ts": 40 };
    const files = ["a.test.ts", "b.test.ts", "c.test.ts", "d.test.ts"];
    assert.deepEqual(longestFirst(files, known), [
      "a.test.ts",
      "d.test.ts",
      "c.test.ts",
      "b.test.ts",
    ]);
  });

  it("is shown by CPU time, with the sum of all files below", () => {
    const usage = (path: string, own: number) => ({ path, own, children: 1, seconds: 9 });
    const table = usageTable([usage("a", 1), usage("b", 5), usage("c", 3)], 2);
    assert.deepEqual(table.match(/(?<= )([abc]|all .*)$/gm), ["b", "c", "all 3 files"]);
    assert.match(table, /^ +12\.0 +9\.0 +3\.0 +27\.0 all 3 files$/m);
  });

  it("is there to read on Linux", { skip: process.platform !== "linux" && "not Linux" }, () => {
    assert.ok(cpuSecondsOf(readFileSync("/proc/self/stat", "latin1")).own > 0);
  });
});
