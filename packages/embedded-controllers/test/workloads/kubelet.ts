import type { Anything, World } from "./world.ts";

/**
 * Does with pods what a kubelet would, by their images: "good" serves, "bad" cannot be pulled,
 * "succeed" and "fail" run to their end.
 */
export async function playKubelet(world: World): Promise<void> {
  for (const pod of await world.list("pods")) {
    const { name, deletionTimestamp } = pod.metadata;
    const path = world.path("pods", name);
    if (deletionTimestamp !== undefined) {
      await world.kubernetes.request("DELETE", path, { body: { gracePeriodSeconds: 0 } });
      continue;
    }
    const status = statusOf(pod);
    if (status === undefined || status.phase === pod.status.phase) continue;
    await world.kubernetes.request("PATCH", `${path}/status`, { body: { status } });
  }
}

function statusOf({ spec }: Anything): Anything {
  const [{ name, image }] = spec.containers;
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  const [program] = image.split(":");
  const isReady = program === "good";
  const exitCode = program === "fail" ? 3 : 0;
  const terminated = { exitCode, startedAt: time, finishedAt: time, reason: "Ended" };
  const phase = { good: "Running", succeed: "Succeeded", fail: "Failed" }[program as string];
  if (phase === undefined) return undefined;
  const state = isReady ? { running: { startedAt: time } } : { terminated };
  const common = { name, image, imageID: image, ready: isReady, restartCount: 0 };
  const ready = { type: "Ready", status: isReady ? "True" : "False", lastTransitionTime: time };
  return { phase, conditions: [ready], containerStatuses: [{ ...common, state }] };
}
