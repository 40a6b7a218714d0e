import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "../process/wait-for.ts";

/** Where cgroups are mounted: one hierarchy (v2) or one for each controller (v1). */
function hierarchies(): string[] {
  return readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => / - cgroup2? /.test(line))
    .map((line) => line.split(" ")[4] ?? "");
}

/**
 * How much CPU time all pods together get where it is scarce: by default no more than one process
 * beside them, and on a busy machine probes would kill pods that hardly start.
 */
const cpuShares = { "cpu.shares": "16384", "cpu.weight": "1600" } as const;

/** Makes a cgroup in every hierarchy, for a kubelet to put its pods below. */
export async function createCgroup(name: string): Promise<void> {
  for (const hierarchy of hierarchies()) {
    const cgroup = join(hierarchy, name);
    await mkdir(cgroup, { recursive: true });
    // A cpuset of v1 that names no CPUs and memory nodes can hold no process.
    for (const file of ["cpuset.cpus", "cpuset.mems"]) {
      const own = join(cgroup, file);
      if (isVersion1(hierarchy) && existsSync(own)) {
        await writeFile(own, await readFile(join(hierarchy, file)));
      }
    }
    for (const [file, share] of Object.entries(cpuShares)) {
      const own = join(cgroup, file);
      if (existsSync(own)) await writeFile(own, share);
    }
  }
}

/** Kills every process in a cgroup and below, then removes it from every hierarchy. */
export async function removeCgroup(name: string): Promise<void> {
  const cgroups = hierarchies()
    .map((hierarchy) => join(hierarchy, name))
    .filter((cgroup) => existsSync(cgroup));
  await waitFor(() => killAll(cgroups) === 0, { what: `the processes in cgroup ${name} to end` });
  for (const cgroup of cgroups.flatMap(withChildren).reverse()) {
    await waitFor(() => removed(cgroup), { what: `cgroup ${cgroup} to be removed` });
  }
}

/** The kernel may count a process that has just ended for a moment longer. */
async function removed(cgroup: string): Promise<boolean> {
  await rmdir(cgroup).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  return true;
}

function killAll(cgroups: readonly string[]): number {
  const pids = new Set(cgroups.flatMap(withChildren).flatMap(processesIn));
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
  return pids.size;
}

function processesIn(cgroup: string): number[] {
  try {
    const lines = readFileSync(join(cgroup, "cgroup.procs"), "utf8").split("\n");
    // 0 is a process of another PID namespace: not ours to end.
    return lines.map(Number).filter((pid) => pid > 0);
  } catch {
    return [];
  }
}

/** A cgroup and those below it, outer ones first. */
function withChildren(cgroup: string): string[] {
  try {
    const items = readdirSync(cgroup, { withFileTypes: true });
    const children = items.filter((item) => item.isDirectory());
    return [cgroup, ...children.flatMap((item) => withChildren(join(cgroup, item.name)))];
  } catch {
    return [];
  }
}

function isVersion1(hierarchy: string): boolean {
  return !existsSync(join(hierarchy, "cgroup.controllers"));
}
