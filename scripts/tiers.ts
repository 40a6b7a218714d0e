/** How one tier of tests is found, run and counted. */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run } from "./steps.ts";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Tier {
  readonly name: string;
  readonly files: readonly string[];
  /** Unit tests share one process: 60 files start in the time that 3 processes need. */
  readonly isolation: "none" | "process";
  readonly concurrency?: number;
  /** Makes a test that hangs a failure with a name; no test comes near it. */
  readonly hangSeconds: number;
  readonly env?: NodeJS.ProcessEnv;
}

const suffixes = {
  integration: ".integration.test.ts",
  "end to end": ".e2e.test.ts",
  soak: ".soak.test.ts",
} as const;

export type TierName = "unit" | keyof typeof suffixes;

/**
 * The test files of a tier, told apart by their names alone. `only` keeps those whose path contains
 * one of the given words.
 */
export function testFiles(tier: TierName, only: readonly string[] = []): string[] {
  const all = globSync(["packages/*/{src,test}/**/*.test.ts", "scripts/**/*.test.ts"], {
    cwd: root,
  });
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
    return await runFiles(tier, join(folder, "tally.json"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runFiles(tier: Tier, tallyFile: string): Promise<Tally> {
  const command = [
    "node",
    "--test",
    `--test-isolation=${tier.isolation}`,
    `--test-timeout=${tier.hangSeconds * 1000}`,
    `--test-reporter=${join(root, "scripts", "reporter.ts")}`,
    ...(tier.isolation === "process" ? [`--test-concurrency=${tier.concurrency ?? 1}`] : []),
    ...tier.files,
  ];
  const env = {
    ...tier.env,
    ROOKERY_TALLY: tallyFile,
    ROOKERY_REPORT: tier.isolation === "process" ? "verbose" : "quiet",
  };
  const { code } = await run(command, { stdio: "inherit", env });
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

/** The last words of every run; the very last line is the one to read. */
export function closing(tallies: readonly Tally[], notes: readonly string[]): number {
  const sum = (key: keyof Tally) => tallies.reduce((total, tally) => total + tally[key], 0);
  const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
  console.log();
  for (const note of notes) console.log(note);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed === 0 ? 0 : 1;
}
