/**
 * `node scripts/run-files.ts '{"files": …}'`: runs test files, each in a process of its own, in the
 * order in which they are given. `node --test` would sort them, and the longest has to begin first.
 */
import { join, resolve } from "node:path";
import { run } from "node:test";
import report from "./reporter.ts";
import { root } from "./steps.ts";

export interface FilesToRun {
  readonly files: readonly string[];
  readonly concurrency: number;
  readonly hangSeconds: number;
  /** Regular expressions for the full names of the tests to run; all of them where there is none. */
  readonly namePatterns: readonly string[];
}

const toRun = JSON.parse(process.argv[2] ?? "") as FilesToRun;
const { files, concurrency, hangSeconds, namePatterns } = toRun;
const tests = run({
  files: files.map((file) => resolve(root, file)),
  concurrency,
  timeout: hangSeconds * 1000,
  ...(namePatterns.length > 0 && { testNamePatterns: [...namePatterns] }),
  execArgv: ["--import", join(root, "scripts", "usage-probe.ts")],
});
for await (const text of report(tests)) process.stdout.write(text);
