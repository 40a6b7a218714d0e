import { setTimeout as delay } from "node:timers/promises";
import { isSameProcess } from "./identity.ts";

const pollInterval = 10;
const killPatience = 10_000;

export interface ProcessHandle {
  readonly pid: number;
  readonly identity: string;
}

/**
 * Ends a process that leads a group, and the group with it: asks with SIGTERM, and after `grace`
 * milliseconds (none: at once) kills. Returns when it is gone. A process that merely has the same
 * number is left alone.
 */
export async function endProcess(
  handle: ProcessHandle,
  options: { readonly grace: number },
): Promise<void> {
  if (options.grace > 0 && signal(handle, "SIGTERM")) await gone(handle, options.grace);
  if (!signal(handle, "SIGKILL")) return;
  if (!(await gone(handle, killPatience))) {
    throw new Error(`could not end process ${handle.pid}: it survived SIGKILL`);
  }
}

function signal(handle: ProcessHandle, name: NodeJS.Signals): boolean {
  if (!isSameProcess(handle.pid, handle.identity)) return false;
  try {
    process.kill(-handle.pid, name);
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
