import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The processes of pods on this machine: by the variable that an embedded node sets, or by the cgroup
 * that a kubelet puts them into.
 */
export function processesOfPods(uids: Iterable<string | undefined>): number[] {
  const wanted = new Set(uids);
  return globSync("/proc/[0-9]*").flatMap((folder) => {
    const [, uid] =
      /(?:^|\0)ROOKERY_POD_UID=([^\0]*)/.exec(readIfRunning(join(folder, "environ"))) ??
      /\/pod([0-9a-f-]{36})(?:\/|$)/m.exec(readIfRunning(join(folder, "cgroup"))) ??
      [];
    return uid !== undefined && wanted.has(uid) ? [Number(folder.slice("/proc/".length))] : [];
  });
}

/**
 * Kills a program of a pod without warning, as a crash would: its node starts the container again.
 * Returns the number of processes.
 */
export function killProgram(podUid: string, program: string): number {
  const found = processesOfPods([podUid]).filter(
    (pid) => readIfRunning(`/proc/${pid}/comm`).trim() === program,
  );
  for (const pid of found) process.kill(pid, "SIGKILL");
  return found.length;
}

/** Empty for processes that have ended or belong to others. */
function readIfRunning(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
