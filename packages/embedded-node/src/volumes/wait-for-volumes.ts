import { setTimeout as delay } from "node:timers/promises";
import type { VolumeProblem } from "./pod-volumes.ts";

export interface VolumeWait {
  prepare(): Promise<readonly VolumeProblem[]>;
  /** Called with the message that a kubelet would report. */
  problem(message: string): void;
  readonly signal: AbortSignal;
}

/** The pauses between reports, as a kubelet's: half a second, doubled up to two minutes. */
const first = 500;
const most = 122_000;
/** Missing volumes are tried more often than they are reported. */
const lookMs = 500;

/** Resolves when all volumes are ready, or the signal is aborted. */
export async function waitForVolumes({ prepare, problem, signal }: VolumeWait): Promise<void> {
  let pause = first;
  let reportAt = 0;
  while (!signal.aborted) {
    const problems = await prepare();
    if (problems.length === 0) return;
    if (performance.now() >= reportAt) {
      for (const { volume, message } of problems) {
        problem(`MountVolume.SetUp failed for volume "${volume}" : ${message}`);
      }
      reportAt = performance.now() + pause;
      pause = Math.min(pause * 2, most);
    }
    await delay(lookMs, undefined, { signal }).catch(() => {});
  }
}
