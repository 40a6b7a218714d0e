import { setTimeout as delay } from "node:timers/promises";
import type { VolumeProblem } from "./pod-volumes.ts";

export interface VolumeWait {
  prepare(): Promise<readonly VolumeProblem[]>;
  /** Hears what a kubelet would tell of a volume. */
  problem(message: string): void;
  readonly signal: AbortSignal;
}

/** As a kubelet tells of them: half a second, doubled up to two minutes. */
const first = 500;
const most = 122_000;
/** It looks for what was missing more often than that. */
const lookMs = 500;

/** Resolves when all volumes are there, or nobody needs them any more. */
export async function waitForVolumes({ prepare, problem, signal }: VolumeWait): Promise<void> {
  let pause = first;
  let tellAt = 0;
  while (!signal.aborted) {
    const problems = await prepare();
    if (problems.length === 0) return;
    if (performance.now() >= tellAt) {
      for (const { volume, message } of problems) {
        problem(`MountVolume.SetUp failed for volume "${volume}" : ${message}`);
      }
      tellAt = performance.now() + pause;
      pause = Math.min(pause * 2, most);
    }
    await delay(lookMs, undefined, { signal }).catch(() => {});
  }
}
