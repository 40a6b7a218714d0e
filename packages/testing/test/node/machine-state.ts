import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { missingFolders } from "../../src/node/outside-files.ts";
import { readSysctls } from "../../src/node/sysctls.ts";
import { runCommand } from "../../src/process/command.ts";
import { findProcesses } from "../../src/process/find-processes.ts";

/** What a node may change on its machine, as it is now. */
export async function machineState(): Promise<unknown> {
  const rules = (saved: string) =>
    saved
      .split("\n")
      .filter((line) => !line.startsWith("#"))
      .map((line) => line.replace(/\[.*\]/, ""));
  return {
    iptables: rules(await runCommand("iptables-save", [])),
    ip6tables: rules(await runCommand("ip6tables-save", [])),
    links: readdirSync("/sys/class/net").sort(),
    routes: await runCommand("ip", ["route", "show", "table", "all"]),
    mounts: readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .map((line) => line.split(" ")[4])
      .sort(),
    cgroups: readdirSync("/sys/fs/cgroup").filter((name) =>
      existsSync(`/sys/fs/cgroup/${name}/rookery-node`),
    ),
    sysctls: await readSysctls(),
    missingFolders: missingFolders(),
    shimSockets: existsSync("/run/containerd/s") ? readdirSync("/run/containerd/s") : [],
    processes: findProcesses(([program = ""]) =>
      /^(containerd|kube)/.test(basename(program)),
    ).filter(({ pid }) => isOfNode(pid)),
    journal: existsSync("/run/rookery/node.json"),
  };
}

/** Another test may run an API server at the same time. */
function isOfNode(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("rookery-node-");
  } catch {
    return false;
  }
}
