import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  endFormerRun,
  isRunning,
  lockStore,
  type ProcessHandle,
  signalProcess,
} from "@rookery/local";
import { LocalRunError } from "../errors.ts";
import { currentRun } from "./run-file.ts";

export interface Ended {
  /** Undefined where nothing ran. */
  readonly pid: number | undefined;
  readonly killed: boolean;
}

const pauseMs = 20;
/** A process that still exists this long after SIGKILL waits for a disk. */
const killedMs = 10_000;

/**
 * Stops the process of this folder and all its pods; kills it after the grace period. Throws
 * StoreUnusableError if another process uses the folder, such as one that is starting.
 */
export async function endRun(data: string, graceMs: number): Promise<Ended> {
  const run = currentRun(data);
  const killed = run !== undefined && (await endProcess(run, data, graceMs));
  await endPods(data);
  return { pid: run?.pid, killed };
}

/** Ends pods of a run that was killed. Throws if another process uses the folder. */
async function endPods(data: string): Promise<void> {
  const folder = join(data, "node");
  using _ = lockStore(data);
  if (existsSync(folder)) await endFormerRun(folder);
}

async function endProcess(run: ProcessHandle, data: string, graceMs: number): Promise<boolean> {
  signalProcess(run, "SIGTERM");
  if (await isGone(run, graceMs)) return false;
  signalProcess(run, "SIGKILL");
  if (await isGone(run, killedMs)) return true;
  throw new LocalRunError(
    `could not end process ${run.pid}: it does not react to SIGKILL, so it waits for the machine; see the disk of ${data}`,
  );
}

async function isGone(run: ProcessHandle, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (isRunning(run)) {
    if (performance.now() >= end) return false;
    await delay(pauseMs);
  }
  return true;
}
