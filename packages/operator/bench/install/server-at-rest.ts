import { setTimeout as delay } from "node:timers/promises";
import type { Kubernetes } from "@rookery/testing";

/** Of a core, over a second: below it nothing of its own is left to do. */
const restingShare = 0.15;
const longestSeconds = 30;

/**
 * Waits until an API server that was just started, or was given CRDs, has done what it does by itself:
 * who is measured sooner shares its processors with that.
 */
export async function serverAtRest(kubernetes: Kubernetes): Promise<void> {
  let before = await processorSeconds(kubernetes);
  for (let second = 0; second < longestSeconds; second++) {
    await delay(1000);
    const now = await processorSeconds(kubernetes);
    if (now - before < restingShare) return;
    before = now;
  }
}

async function processorSeconds(kubernetes: Kubernetes): Promise<number> {
  const { body } = await kubernetes.request("GET", "/metrics");
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(String(body))?.[1]);
}
