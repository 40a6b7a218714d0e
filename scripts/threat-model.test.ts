import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { root } from "./steps.ts";

/** Rows whose last cell is a dash say in the cell before it that nothing prevents them, and what helps. */
const maxUntested = 7;

it("each row of the threat model names tests that there are", () => {
  const text = readFileSync(join(root, "docs/threat-model.md"), "utf8");
  const [tables = ""] = text.split("## What stays open");
  const rows = tables
    .split("\n")
    .filter((line) => line.startsWith("| ") && line.split(" | ").length === 5)
    .filter((line) => !line.endsWith("| test |"));
  const tests = rows.map((row) => [...row.matchAll(/\]\(\.\.\/([^)]+\.test\.ts)\)/g)]);
  assert.ok(rows.length > 80, `there are ${rows.length} rows`);
  const missing = tests
    .flat()
    .flatMap(([, path = ""]) => (existsSync(join(root, path)) ? [] : [path]));
  assert.deepEqual(missing, []);
  const untested = rows.filter((_, index) => tests[index]?.length === 0);
  assert.ok(untested.every((row) => row.endsWith("| – |")));
  assert.equal(untested.length, maxUntested);
});
