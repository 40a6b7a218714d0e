import assert from "node:assert/strict";
import type { ResourceClient } from "@rookery/client";
import type { Kubernetes } from "@rookery/testing";
import { inParallel, type Nest, nest } from "./nests.ts";
import { RunningInformer } from "./running-informer.ts";

interface World {
  readonly kubernetes: Kubernetes;
  readonly resource: ResourceClient<Nest>;
  /** Without nests yet. */
  readonly namespace: string;
}

/**
 * Makes so many changes while the watch of an informer is down: two of five update, one deletes, two
 * create. The informer has to tell of each, once.
 */
export async function assertHearsOfMissedChanges(world: World, changes: number): Promise<void> {
  const { kubernetes, resource, namespace } = world;
  const part = changes / 5;
  const create = (fate: string, count: number) =>
    inParallel(names(fate, count), (name) =>
      resource.create(nest({ namespace, name, labels: { fate } }, 1)),
    );
  await create("updated", 2 * part);
  await create("deleted", part);
  await using running = await RunningInformer.start(kubernetes);
  const before = running.events.events.length;
  running.tap.cut();
  await inParallel(names("updated", 2 * part), (name) =>
    resource.patch({ namespace, name }, { type: "merge", patch: { spec: { eggs: 2 } } }),
  );
  await resource.deleteCollection({ namespace, labelSelector: "fate=deleted" });
  await create("created", 2 * part);
  running.tap.mend();
  await running.assertCatchesUp(resource, namespace);
  const told = running.events.events.slice(before).map(({ type }) => type);
  const count = (wanted: string) => told.filter((type) => type === wanted).length;
  assert.deepEqual(
    { create: count("create"), update: count("update"), delete: count("delete") },
    { create: 2 * part, update: 2 * part, delete: part },
  );
}

function names(fate: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${fate}-${index}`);
}
