import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * What tells one process from a later one that got the same number: the moment it started.
 * `undefined` where there is no such process, or only its zombie.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === "linux" ? identityFromProc(pid) : identityFromPs(pid);
}

/** Whether the process that once had this identity still runs. */
export function isSameProcess(pid: number, identity: string): boolean {
  return processIdentity(pid) === identity;
}

function identityFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command name may hold spaces and parentheses; the fields proper follow its last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    return state === "Z" || state === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function identityFromPs(pid: number): string | undefined {
  const ps = spawnSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], { encoding: "utf8" });
  const line = (ps.stdout ?? "").trim();
  return line === "" || line.startsWith("Z") ? undefined : line.replace(/^\S+\s+/, "");
}
