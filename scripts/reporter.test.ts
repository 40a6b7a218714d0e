import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { root } from "./steps.ts";

describe("the reporter", () => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-reporter-"));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** What it prints of a file of tests, in a run of its own. */
  const report = async (source: string): Promise<string> => {
    const file = join(folder, "tried.test.mjs");
    writeFileSync(file, `import { describe, it } from "node:test";\n${source}`);
    const args = ["--test", `--test-reporter=${join(root, "scripts", "reporter.ts")}`, file];
    const { NODE_TEST_CONTEXT: _, ROOKERY_TALLY: __, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { ...env, ROOKERY_REPORT: "verbose" },
    });
    return stdout;
  };

  it("tells of a suite that is skipped, of which no test is heard, and why", async () => {
    const printed = await report(`
      describe("needs Go", { skip: "there is no go" }, () => it("never runs", () => {}));
      describe("needs nothing", () => it("runs", () => {}));`);
    assert.match(printed, /^skip .*needs Go \(\d+ ms\): there is no go$/m);
    assert.match(printed, /^ok .*: runs/m);
    assert.doesNotMatch(printed, /needs nothing|never runs/);
  });
});
