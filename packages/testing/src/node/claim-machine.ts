import { fileURLToPath } from "node:url";
import { UnavailableError } from "../errors.ts";
import { acquireLock, type Lock } from "../process/lock.ts";
import { guard } from "../process/reaper.ts";
import type { Progress } from "../progress.ts";
import { cleanNode } from "./clean.ts";
import { kubernetesChains, tableNames } from "./iptables.ts";
import { NodeJournal, type NodeRecord } from "./journal.ts";
import { nodeNetwork } from "./network.ts";
import { missingFolders } from "./outside-files.ts";
import { missingPackages } from "./packages.ts";
import { readSysctls } from "./sysctls.ts";

const stateFolder = "/run/rookery";

export const nodeCgroup = "rookery-node";

/** The machine's only journal of a node; see `NodeJournal`. */
export function nodeJournal(): NodeJournal {
  return new NodeJournal(`${stateFolder}/node.json`);
}

/** Keeps the nodes of two runs apart: they would fight over the bridge and the iptables. */
export function lockMachine(progress: Progress): Promise<Lock> {
  const purpose = "runs a node for end-to-end tests on this machine";
  return acquireLock(`${stateFolder}/node.lock`, { purpose, progress });
}

/** Throws UnavailableError unless this machine can run a node. */
export async function requireMachine(): Promise<void> {
  const missing = process.platform === "linux" ? await missingPackages() : [];
  const obstacle = [
    process.platform !== "linux" && ["this is not Linux", "run the tests on Linux"],
    process.getuid?.() !== 0 && ["only root may start containers", "run the tests as root"],
    missing.length > 0 && [
      `these Debian packages are missing: ${missing.join(" ")}`,
      "install them, or let `npm run e2e -- --install` do it",
    ],
  ].find((found) => found !== false);
  if (!obstacle) return;
  const [reason = "", remedy = ""] = obstacle;
  throw new UnavailableError("a real node", { reason, remedy });
}

/**
 * Makes the machine ready for a node: undoes what an interrupted one left, writes down what there is
 * now, and sees to it that all is undone even if this process is killed.
 * Disposing of it undoes everything. Needs the lock.
 */
export async function claimMachine(folder: string, progress: Progress): Promise<AsyncDisposable> {
  const journal = nodeJournal();
  const main = fileURLToPath(new URL("./clean-main.ts", import.meta.url));
  const release = await guard({ kind: "command", command: process.execPath, args: [main] });
  if (await journal.read()) {
    progress("undoing what an interrupted run left");
    await cleanNode(journal);
  }
  await refuseOtherKubernetes();
  await journal.write(await describeMachine(folder));
  return {
    async [Symbol.asyncDispose]() {
      await cleanNode(journal);
      await release();
    },
  };
}

async function describeMachine(folder: string): Promise<NodeRecord> {
  return {
    folder,
    bridge: nodeNetwork.bridge,
    cgroup: nodeCgroup,
    sysctls: await readSysctls(),
    tables: await tableNames(),
    newFolders: missingFolders(),
  };
}

/** Our changes could not be distinguished from theirs. */
async function refuseOtherKubernetes(): Promise<void> {
  const chains = await kubernetesChains();
  if (chains.length === 0) return;
  throw new UnavailableError("a real node", {
    reason: `the iptables of this machine already have ${chains.length} chains of a Kubernetes (${chains[0]})`,
    remedy: "run the tests on a machine that is not a node of another Kubernetes",
  });
}
