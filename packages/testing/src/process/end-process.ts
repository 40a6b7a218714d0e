import { setTimeout as delay } from "node:timers/promises";
import { isRunning, type ProcessHandle, signalProcess } from "@rookery/embedded-node";

const pollInterval = 10;
/** A large process on a busy machine takes a while to be gone. */
const killPatience = 60_000;

/**
 * Ends a process that leads a group: by SIGTERM, and after `grace` milliseconds (none: at once) by
 * SIGKILL to its group. Returns when it is gone. A later process with the same id is left alone.
 */
export async function endProcess(
  handle: ProcessHandle,
  options: { readonly grace: number },
): Promise<void> {
  if (options.grace > 0 && signalProcess(handle, "SIGTERM")) await gone(handle, options.grace);
  if (!signalProcess(handle, "SIGKILL", { group: true })) return;
  if (!(await gone(handle, killPatience))) {
    throw new Error(`could not end process ${handle.pid}: it survived SIGKILL`);
  }
}

async function gone(handle: ProcessHandle, patience: number): Promise<boolean> {
  const end = performance.now() + patience;
  while (isRunning(handle)) {
    if (performance.now() > end) return false;
    await delay(pollInterval);
  }
  return true;
}
