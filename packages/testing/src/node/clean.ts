import { basename } from "node:path";
import { binarySets } from "../binaries/recipe.ts";
import { endProcess } from "../process/end-process.ts";
import { findProcesses } from "../process/find-processes.ts";
import { removeFolder } from "../process/remove-folder.ts";
import { removeCgroup } from "./cgroups.ts";
import { containerdPaths } from "./containerd.ts";
import { removeKubernetesRules } from "./iptables.ts";
import type { NodeJournal, NodeRecord } from "./journal.ts";
import { removeBridge } from "./network.ts";
import { removeTraces } from "./outside-files.ts";
import { restoreSysctls } from "./sysctls.ts";

const programs = new Set<string>([
  ...binarySets.node.filter((name) => name !== "kubectl"),
  "containerd",
  "containerd-shim-runc-v2",
]);

/**
 * Undoes what a node did to its machine, according to its journal, and ends the journal.
 *
 * Guarantees: only what is the node's by the record is touched; it may be stopped at any
 * point and run again; where there is no record it does nothing.
 * Assumptions: the caller holds the node's lock.
 */
export async function cleanNode(journal: NodeJournal): Promise<void> {
  const record = await journal.read();
  if (!record) return;
  await endProcesses(record);
  await removeCgroup(record.cgroup);
  await removeBridge(record.bridge);
  await removeKubernetesRules(record.tables);
  await removeTraces({ ...record, state: containerdPaths(record.folder).state });
  await removeFolder(record.folder);
  await restoreSysctls(record.sysctls);
  await journal.remove();
}

/** The folder is the node's alone, hence a program of Kubernetes that works in it is the node's. */
async function endProcesses(record: NodeRecord): Promise<void> {
  const found = findProcesses(
    ([program = "", ...args]) =>
      programs.has(basename(program)) && args.some((arg) => arg.includes(record.folder)),
  );
  for (const handle of found) await endProcess(handle, { grace: 0 });
}
