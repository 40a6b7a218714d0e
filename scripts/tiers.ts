/** How one tier of tests is found, run and counted. */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FilesToRun } from "./run-files.ts";
import { root, run } from "./steps.ts";
import { longestFirst, readUsage, remember, type Usage } from "./usage.ts";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The reports of failed tests. */
  readonly failures?: readonly string[];
  /** The usage of each file; only for a tier with one process for each file. */
  readonly usages?: readonly Usage[];
}

export interface Tier {
  readonly name: string;
  readonly files: readonly string[];
  /** Unit tests share one process: 60 files start in the time that 3 processes need. */
  readonly isolation: "none" | "process";
  readonly concurrency?: number;
  /** Makes a test that hangs a failure with a name; no test comes near it. */
  readonly hangSeconds: number;
  /** Runs only the tests whose full name, with the names of their suites, contains it. */
  readonly testName?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
}

const suffixes = {
  integration: ".integration.test.ts",
  "end to end": ".e2e.test.ts",
  soak: ".soak.test.ts",
} as const;

export type TierName = "unit" | keyof typeof suffixes;

/** The test files of a tier, by their names. `only` selects those whose path contains one of the words. */
export function testFiles(tier: TierName, only: readonly string[] = []): string[] {
  const all = globSync(
    ["{packages/*,examples/provider}/{src,test}/**/*.test.ts", "scripts/**/*.test.ts"],
    { cwd: root },
  );
  return all
    .filter((file) => tierOf(file) === tier)
    .filter((file) => only.length === 0 || only.some((word) => file.includes(word)))
    .sort();
}

function tierOf(file: string): TierName {
  for (const [tier, suffix] of Object.entries(suffixes)) {
    if (file.endsWith(suffix)) return tier as TierName;
  }
  return "unit";
}

export async function runTier(tier: Tier): Promise<Tally> {
  if (tier.files.length === 0) {
    console.log(`FAIL ${tier.name}: no test file found`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const folder = mkdtempSync(join(tmpdir(), "rookery-tally-"));
  try {
    return await (tier.isolation === "none" ? runTogether : runApart)(tier, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTogether(tier: Tier, folder: string): Promise<Tally> {
  const command = [
    "node",
    "--test",
    "--test-isolation=none",
    `--test-timeout=${tier.hangSeconds * 1000}`,
    `--test-reporter=${join(root, "scripts", "reporter.ts")}`,
    ...namePatterns(tier).map((pattern) => `--test-name-pattern=${pattern}`),
    ...tier.files,
  ];
  // The names of a few tests show which ones the name selected.
  const env = { ROOKERY_REPORT: tier.testName === undefined ? "quiet" : "named" };
  return report(command, { ...tier.env, ...env }, folder);
}

async function runApart(tier: Tier, folder: string): Promise<Tally> {
  const { concurrency = 1, hangSeconds } = tier;
  const files: FilesToRun = {
    files: longestFirst(tier.files),
    concurrency,
    hangSeconds,
    namePatterns: namePatterns(tier),
  };
  const command = ["node", join("scripts", "run-files.ts"), JSON.stringify(files)];
  const usageFile = join(folder, "usage.jsonl");
  const env = {
    ...tier.env,
    ROOKERY_REPORT: tier.testName === undefined ? "verbose" : "named",
    ROOKERY_USAGE: usageFile,
    // Go programs run for seconds here, and need not collect most of their garbage.
    GOGC: process.env.GOGC ?? "400",
  };
  const tally = await report(command, env, folder);
  const usages = readUsage(usageFile).filter(({ path }) => tier.files.includes(path));
  // A few tests of a file do not show how long the whole file takes.
  if (tier.testName === undefined) remember(usages);
  return { ...tally, usages };
}

/** As regular expressions, since node:test takes no plain text. */
function namePatterns({ testName }: Tier): string[] {
  return testName === undefined ? [] : [testName.replaceAll(/[/\\^$.*+?()[\]{}|]/g, "\\$&")];
}

async function report(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  folder: string,
): Promise<Tally> {
  const tallyFile = join(folder, "tally.json");
  const { code } = await run(command, {
    stdio: "inherit",
    env: { ...env, ROOKERY_TALLY: tallyFile },
  });
  return settle(code, tallyFile);
}

/** A run that ends badly without a failed test (a crash, an interrupt) is a failure all the same. */
function settle(code: number, tallyFile: string): Tally {
  const tally = readTally(tallyFile);
  if (code === 0 || tally.failed > 0) return tally;
  console.log(`FAIL the test process exited with ${code}`);
  return { ...tally, failed: 1 };
}

function readTally(file: string): Tally {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Tally;
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/** The end of every run: the failed tests, and the summary in the last line. */
export function closing(
  tallies: readonly Tally[],
  notes: readonly string[],
  testName?: string,
): number {
  const sum = (key: "passed" | "failed" | "skipped") =>
    tallies.reduce((total, tally) => total + tally[key], 0);
  const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
  for (const tally of tallies) for (const words of tally.failures ?? []) console.log(`\n${words}`);
  console.log();
  for (const note of notes) console.log(note);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  if (testName !== undefined && passed + failed + skipped === 0) {
    console.log(`FAIL no test has a name that contains "${testName}"`);
    return 1;
  }
  return failed === 0 ? 0 : 1;
}
