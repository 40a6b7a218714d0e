import { setTimeout as delay } from "node:timers/promises";
import { isSameProcess } from "./identity.ts";

const pollInterval = 10;
/** A large process on a busy machine takes a while to be gone. */
const killPatience = 60_000;

/** A process, told from a later one with the same number. */
export interface ProcessHandle {
  readonly pid: number;
  readonly identity: string;
}

/**
 * Ends a process that leads a group: asks it with SIGTERM, and after `grace` milliseconds (none: at
 * once) kills it with its group. Returns when it is gone. A process that merely has the same number
 * is left alone.
 */
export async function endProcess(
  handle: ProcessHandle,
  options: { readonly grace: number },
): Promise<void> {
  if (options.grace > 0 && signal(handle, handle.pid, "SIGTERM")) await gone(handle, options.grace);
  if (!signal(handle, -handle.pid, "SIGKILL")) return;
  if (!(await gone(handle, killPatience))) {
    throw new Error(`could not end process ${handle.pid}: it survived SIGKILL`);
  }
}

function signal(handle: ProcessHandle, target: number, name: NodeJS.Signals): boolean {
  if (!isSameProcess(handle.pid, handle.identity)) return false;
  try {
    process.kill(target, name);
    return true;
  } catch {
    return false;
  }
}

async function gone(handle: ProcessHandle, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  while (isSameProcess(handle.pid, handle.identity)) {
    if (performance.now() > end) return false;
    await delay(pollInterval);
  }
  return true;
}
