import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Kills a program of a pod on a node of this machine without warning, as a crash would: the kubelet
 * starts it again. Returns how many processes it was.
 */
export function killProgram(podUid: string, program: string): number {
  const read = (pid: number, file: string) => {
    try {
      return readFileSync(join("/proc", String(pid), file), "utf8");
    } catch {
      // It ended by itself.
      return "";
    }
  };
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  const found = pids.filter(
    (pid) => read(pid, "comm").trim() === program && isOfPod(read, pid, podUid),
  );
  for (const pid of found) process.kill(pid, "SIGKILL");
  return found.length;
}

/** By its cgroup where a kubelet runs it, by its environment on a node of processes. */
function isOfPod(
  read: (pid: number, file: string) => string,
  pid: number,
  podUid: string,
): boolean {
  const environment = read(pid, "environ").split("\0");
  return (
    read(pid, "cgroup").includes(`pod${podUid}`) ||
    environment.includes(`ROOKERY_POD_UID=${podUid}`)
  );
}
