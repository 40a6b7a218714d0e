import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import fc from "fast-check";
import { type Cluster, startCluster } from "../../test/cluster.ts";
import { createGarbageCollector } from "./garbage-collector.ts";

type Policy = "Background" | "Foreground" | "Orphan";

/** Who owns whom, the first object without an owner: each object's owners come before it. */
interface Family {
  readonly owners: readonly (readonly { readonly index: number; readonly block: boolean }[])[];
  readonly policy: Policy;
  /** After how many writes the collector is ended each time. */
  readonly kills: readonly number[];
}

const size = 7;
const families: fc.Arbitrary<Family> = fc.record({
  owners: fc.tuple(
    ...Array.from({ length: size }, (_, i) =>
      fc.uniqueArray(fc.record({ index: fc.nat(Math.max(i - 1, 0)), block: fc.boolean() }), {
        maxLength: i === 0 ? 0 : 2,
        selector: ({ index }) => index,
      }),
    ),
  ),
  policy: fc.constantFrom<Policy>("Background", "Foreground", "Orphan"),
  kills: fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
});

/** Who is left when the first one is deleted: who has an owner that stays, or never had one. */
function survivors({ owners, policy }: Family): string[] {
  const gone = new Set([0]);
  owners.forEach((own, i) => {
    const counted = policy === "Orphan" ? own.filter(({ index }) => index !== 0) : own;
    if (counted.length > 0 && counted.every(({ index }) => gone.has(index))) gone.add(i);
  });
  return owners.flatMap((_, i) => (gone.has(i) ? [] : [`m${i}`]));
}

test("a collector that is ended at any write leaves nothing undone when it comes back", async () => {
  await fc.assert(fc.asyncProperty(families, collects), { numRuns: 25 });
});

async function collects(family: Family): Promise<void> {
  await using cluster = await startCluster();
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "ns" } };
  await cluster.create(namespace, builtInResources.namespaces);
  await createFamily(cluster, family);
  const propagationPolicy = family.policy;
  await cluster.client
    .resource(builtInResources.configMaps)
    .delete({ namespace: "ns", name: "m0" }, { propagationPolicy });
  for (const writes of family.kills) await runFor(cluster, writes);
  const stopping = new AbortController();
  const running = createGarbageCollector(cluster.context).start(stopping.signal);
  const expected = survivors(family);
  const left = () => cluster.store.list("configmaps").entries.map(({ name }) => name);
  try {
    await waitFor(() => left().join() === expected.join(), {
      what: `${expected} to be left`,
      detail: () => `${left()}`,
      interval: 5,
    });
    await waitFor(() => !refersToGone(cluster), { what: "references to go", interval: 5 });
  } finally {
    stopping.abort();
    await running;
  }
  assert.deepEqual(left(), expected);
}

async function createFamily(cluster: Cluster, { owners }: Family): Promise<void> {
  const made: KubeObject[] = [];
  for (const [i, own] of owners.entries()) {
    const ownerReferences = own.map(({ index, block }) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      name: `m${index}`,
      uid: made[index]?.metadata.uid ?? "",
      blockOwnerDeletion: block,
    }));
    const metadata = { name: `m${i}`, namespace: "ns", ownerReferences };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata };
    made.push(await cluster.create(object, builtInResources.configMaps));
  }
}

/** Runs a collector until that many writes have happened, or there is nothing to do. */
async function runFor(cluster: Cluster, writes: number): Promise<void> {
  const stopping = new AbortController();
  const ended = Promise.withResolvers<void>();
  let count = 0;
  const subscription = cluster.store.watch("configmaps", cluster.store.revision, () => {
    count += 1;
    if (count >= writes) ended.resolve();
  });
  const running = createGarbageCollector(cluster.context).start(stopping.signal);
  const idle = setTimeout(ended.resolve, 50);
  await ended.promise;
  clearTimeout(idle);
  subscription.close();
  stopping.abort();
  await running;
}

function refersToGone({ store }: Cluster): boolean {
  const { entries } = store.list("configmaps");
  const uids = new Set(entries.map(({ object }) => object.metadata.uid));
  return entries.some(({ object }) =>
    object.metadata.ownerReferences?.some(({ uid }) => !uids.has(uid)),
  );
}
