import type { Provider } from "./provider.ts";

/**
 * Makes a replica ready when it has seen the cluster: before, it would lead, and answer webhooks, without
 * knowing it.
 */
export function readyWithCaches({ health, manager, cache }: Provider): void {
  let isSynced = false;
  manager.add({
    name: "readiness",
    group: "others",
    async start(signal) {
      await cache.waitForReady?.(signal);
      isSynced = true;
    },
  });
  health.addReadyzCheck("caches", () => {
    if (!isSynced) throw new Error("the caches are not filled yet");
  });
}
