/**
 * `npm test`: the checks, then the unit and the integration tier. `--unit`, `--integration` and
 * `--check` run only those; words keep the test files whose path contains one of them, and `--name`
 * the tests whose full name contains its value. `--slowest` reports what the files of the integration
 * tier took.
 */
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  clusterApiManager,
  clusterctlProgram,
  ensureBinaries,
  ensureGoProgram,
  shareKubernetes,
  startKubernetes,
  UnavailableError,
} from "@rookery/testing";
import { root, run } from "./steps.ts";
import { closing, runTier, type Tally, testFiles } from "./tiers.ts";
import { usageTable } from "./usage.ts";

const { values: only, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: "boolean", default: false },
    unit: { type: "boolean", default: false },
    integration: { type: "boolean", default: false },
    slowest: { type: "boolean", default: false },
    name: { type: "string" },
  },
});
const all = !only.check && !only.unit && !only.integration;
const isWhole = words.length === 0 && only.name === undefined;
const tallies: Tally[] = [];
const notes: string[] = [];

// In parallel: the unit tests share one process, and leave a core to the checks.
await Promise.all([(only.check || (all && isWhole)) && check(), (only.unit || all) && unit()]);
if (only.integration || all) await integration();
process.exitCode = closing(tallies, notes, only.name);

async function check(): Promise<void> {
  const { code } = await run(["node", "scripts/check.ts"], { stdio: "inherit" });
  if (code !== 0) tallies.push({ passed: 0, failed: 1, skipped: 0 });
  notes.push(`check: ${code === 0 ? "all good" : "FAILED, see above"}`);
}

async function unit(): Promise<void> {
  const files = testFiles("unit", words);
  if (files.length === 0 && words.length > 0) return;
  const settings = { isolation: "none", hangSeconds: 120, testName: only.name } as const;
  count("unit", await runTier({ name: "unit", files, ...settings }));
}

/** All integration tests share one Kubernetes, started here; those that break it start their own. */
async function integration(): Promise<void> {
  const files = testFiles("integration", words);
  if (files.length === 0 && words.length > 0) return;
  const folder = mkdtempSync(join(tmpdir(), "rookery-shared-"));
  try {
    await using kubernetes = await startKubernetes();
    const env = await shareKubernetes(kubernetes, join(folder, "kubernetes.json"));
    const name = `integration on ${kubernetes.flavour} ${kubernetes.version}`;
    if (isWhole) await buildGoPrograms();
    // One more than a small machine has cores, as each test waits for a server most of the time.
    const settings = { isolation: "process", concurrency: 4, hangSeconds: 600 } as const;
    count(name, await runTier({ name, files, ...settings, testName: only.name, env }));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    notes.push(`integration: NOT RUN: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Before the tests that need them: a build takes both cores for minutes, once on a machine. */
async function buildGoPrograms(): Promise<void> {
  const olderPrograms = ["kube-apiserver", "kube-controller-manager"] as const;
  const modules = globSync(["packages/*/test/go/*/", "packages/vsphere/vcsim/"], { cwd: root });
  const builds: [name: string, build: () => Promise<unknown>][] = [
    ["Cluster API's core", () => clusterApiManager()],
    ["clusterctl", () => clusterctlProgram()],
    ["an older Kubernetes", () => ensureBinaries(olderPrograms, { version: "v1.33.13" })],
    ...modules.map((module): [string, () => Promise<unknown>] => [
      module,
      () => ensureGoProgram(join(root, module)),
    ]),
  ];
  for (const [name, build] of builds) {
    try {
      await build();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      notes.push(`integration: without ${name}: ${error.message}`);
    }
  }
}

function count(name: string, tally: Tally): void {
  tallies.push(tally);
  if (only.slowest && tally.usages) notes.push(usageTable(tally.usages));
  notes.push(`${name}: ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
}
