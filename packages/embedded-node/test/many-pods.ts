import assert from "node:assert/strict";
import { processesOfPods, waitFor } from "@rookery/testing";
import type { NodeScene } from "./node-scene.ts";

/** The script of a pod that runs until it is told to end. */
export const forever = "trap 'exit 0' TERM; sleep 1000 & wait";

interface Listed {
  readonly metadata: { readonly name: string };
  readonly status: { readonly phase?: string; readonly podIP?: string };
}

/** Pods that are made at once all run, with addresses of their own, and leave nothing when they are deleted. */
export async function runsManyPods(scene: NodeScene, count: number): Promise<void> {
  await scene.startNode();
  const names = Array.from({ length: count }, (_, index) => `many-${index}`);
  const created = await inTurns(names, (name) => scene.createShell(name, forever));
  const path = `/api/v1/namespaces/${scene.namespace}/pods?labelSelector=app`;
  const list = async (): Promise<readonly Listed[]> =>
    (await scene.kubernetes.request("GET", path)).body.items;
  const many = async () =>
    (await list()).filter(({ metadata }) => metadata.name.startsWith("many-"));
  const running = await waitFor(
    async () => {
      const all = (await many()).filter(({ status }) => status.phase === "Running");
      return all.length === count ? all : undefined;
    },
    { what: `${count} pods to run`, timeout: 240_000, interval: 500 },
  );
  assert.equal(new Set(running.map(({ status }) => status.podIP)).size, count);
  await inTurns(names, (name) => scene.delete(name));
  await waitFor(async () => (await many()).length === 0, {
    what: `${count} pods to be gone`,
    timeout: 240_000,
    interval: 500,
  });
  assert.deepEqual(processesOfPods(created.map(({ metadata }) => metadata.uid)), []);
  assert.deepEqual(scene.errors, []);
}

/** A few requests at a time: hundreds of connections at once are not what is tried here. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let begin = 0; begin < items.length; begin += 20) {
    results.push(...(await Promise.all(items.slice(begin, begin + 20).map(work))));
  }
  return results;
}
