import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import {
  isRunning,
  type ProcessHandle,
  processIdentity,
  signalProcess,
} from "./process-identity.ts";

/** The variable by which processes of a pod are found, also those that left their group. */
export const podUidVariable = "ROOKERY_POD_UID";

const rounds = 50;
const pauseMs = 20;

/** Kills what is left of a process and its group. Resolves when it is gone. */
export async function killGroup(handle: ProcessHandle): Promise<void> {
  signalProcess(handle, "SIGKILL", { group: true });
  for (let round = 0; round < rounds && isRunning(handle); round += 1) await delay(pauseMs);
}

interface Sweep {
  readonly podUids: Set<string>;
  readonly done: Promise<void>;
}

let running: Promise<void> = Promise.resolve();
let next: Sweep | undefined;

/**
 * Kills processes with one of these pods in their environment, until there are none. Machines that do
 * not show environments have only process groups. Pods that end at the same time share one scan of the
 * machine's processes.
 */
export function killStrays(podUids: Iterable<string>): Promise<void> {
  if (process.platform !== "linux") return Promise.resolve();
  next ??= nextSweep();
  for (const uid of podUids) next.podUids.add(uid);
  return next.done;
}

function nextSweep(): Sweep {
  const podUids = new Set<string>();
  const done = running.then(() => {
    next = undefined;
    return sweep(podUids);
  });
  running = done.catch(() => {});
  return { podUids, done };
}

async function sweep(podUids: ReadonlySet<string>): Promise<void> {
  if (podUids.size === 0) return;
  for (let round = 0; round < rounds; round += 1) {
    const strays = await findStrays(podUids);
    if (strays.length === 0) return;
    for (const stray of strays) signalProcess(stray, "SIGKILL");
    await delay(pauseMs);
  }
}

async function findStrays(podUids: ReadonlySet<string>): Promise<ProcessHandle[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const strays: ProcessHandle[] = [];
  for (const pid of pids) {
    if (pid === process.pid || !(await carries(pid, podUids))) continue;
    const identity = processIdentity(pid);
    // Asked again: only now it is known whose environment it was.
    if (identity !== undefined && (await carries(pid, podUids))) strays.push({ pid, identity });
  }
  return strays;
}

async function carries(pid: number, podUids: ReadonlySet<string>): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
  const prefix = `${podUidVariable}=`;
  const uid = environment.split("\0").find((line) => line.startsWith(prefix));
  return uid !== undefined && podUids.has(uid.slice(prefix.length));
}
