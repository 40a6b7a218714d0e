import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A process, distinguished from later ones with the same process id. */
export interface ProcessHandle {
  readonly pid: number;
  /** The moment in which it started, as the machine writes it. */
  readonly identity: string;
}

/** The start time of a process, as its identity; undefined for missing processes and zombies. */
export function processIdentity(pid: number): string | undefined {
  return process.platform === "linux" ? identityFromProc(pid) : identityFromPs(pid);
}

export function isRunning({ pid, identity }: ProcessHandle): boolean {
  return processIdentity(pid) === identity;
}

/** Signals the process, or with `group` its group; never a later process with the same id. */
export function signalProcess(
  handle: ProcessHandle,
  signal: NodeJS.Signals,
  options: { readonly group?: boolean } = {},
): boolean {
  if (!isRunning(handle)) return false;
  try {
    return process.kill(options.group ? -handle.pid : handle.pid, signal);
  } catch {
    return false;
  }
}

function identityFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The command's name may hold spaces and parentheses; the fields proper follow its last one.
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
