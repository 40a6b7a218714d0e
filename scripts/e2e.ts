/**
 * `npm run e2e [-- --install --slowest --name text words]`: the end-to-end tier, on a real node with real pods. With
 * ROOKERY_TEST_KUBERNETES=embedded it is on the embedded Kubernetes, whose pods are processes.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  installPackages,
  missingPackages,
  shareKubernetes,
  startNode,
  UnavailableError,
} from "@rookery/testing";
import { root } from "./steps.ts";
import { closing, runTier, type Tally, testFiles } from "./tiers.ts";
import { usageTable } from "./usage.ts";

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    install: { type: "boolean", default: false },
    slowest: { type: "boolean", default: false },
    name: { type: "string" },
  },
});
const { name: testName } = values;
const tier = { name: "end to end", isolation: "process", hangSeconds: 900, testName } as const;
/** The packages whose tests also pass on the embedded node. */
const onBothNodes = ["concierge", "nested", "operator", "vsphere"];
/** The files of these that every run also tests on the embedded node. */
const cheapest = ["packages/vsphere/test/vsphere.e2e.test.ts"];
const isEmbedded = process.env.ROOKERY_TEST_KUBERNETES === "embedded";

try {
  if (!isEmbedded) await providePackages();
  const all = testFiles("end to end", words);
  const files = isEmbedded ? all.filter(isOnBothNodes) : all;
  const sharing = files.filter(shares);
  const others = files.filter((file) => !sharing.includes(file));
  const tallies: Tally[] = [];
  if (sharing.length > 0) tallies.push(await onSharedNode(sharing));
  // Nodes of their own: a machine has one at a time.
  if (others.length > 0 || files.length === 0) {
    tallies.push(await runTier({ ...tier, files: others, concurrency: 1 }));
  }
  if (!isEmbedded && words.length === 0 && testName === undefined) {
    const env = { ROOKERY_TEST_KUBERNETES: "embedded" };
    tallies.push(await runTier({ ...tier, files: cheapest, concurrency: 1, env }));
  }
  const usages = tallies.flatMap((tally) => tally.usages ?? []);
  process.exitCode = closing(tallies, values.slowest ? [usageTable(usages)] : [], testName);
} catch (error) {
  if (!(error instanceof UnavailableError)) throw error;
  console.error(`end to end: NOT RUN: ${error.message}`);
  process.exitCode = 1;
}

function isOnBothNodes(file: string): boolean {
  return onBothNodes.some((name) => file.startsWith(`packages/${name}/`));
}

/** Whether a file uses the node of the run. */
function shares(file: string): boolean {
  return readFileSync(join(root, file), "utf8").includes("startNode({ shared: true })");
}

/** Runs three files at a time, as each waits for pods most of the time. */
async function onSharedNode(files: readonly string[]): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), "rookery-shared-"));
  try {
    await using node = await startNode();
    const env = await shareKubernetes(node, join(folder, "node.json"));
    return await runTier({ ...tier, files, concurrency: 3, env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs packages only in CI and with --install. */
async function providePackages(): Promise<void> {
  const missing = await missingPackages();
  if (missing.length === 0) return;
  if (values.install || process.env.CI === "true") return installPackages(missing);
  throw new UnavailableError("a real node", {
    reason: `these Debian packages are missing: ${missing.join(" ")}`,
    remedy: "install them, or let `npm run e2e -- --install` do it",
  });
}
