import { readFileSync } from "node:fs";

/** In which Linux counts the time of processes. */
const ticksPerSecond = 100;

/** What a process has used of the processors so far. */
export function cpuSecondsOf(pid: number | "self"): number {
  const [, user = 0, system = 0] = cpuTicks(pid);
  return (user + system) / ticksPerSecond;
}

/** What those of our children have used that have ended. */
export function cpuSecondsOfEnded(): number {
  const [, , , user = 0, system = 0] = cpuTicks("self");
  return (user + system) / ticksPerSecond;
}

/** After what is before them: user and system, of itself and of its children. */
function cpuTicks(pid: number | "self"): readonly number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The command's name may hold spaces and parentheses; the fields proper follow its last one.
  return stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(10, 15)
    .map(Number);
}

/** In MB, each page divided among those that share it. */
export function memoryOf(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? Number.NaN) / 1024;
}
