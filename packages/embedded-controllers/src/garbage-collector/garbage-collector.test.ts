import assert from "node:assert/strict";
import { test } from "node:test";
import {
  builtInResources,
  isNotFound,
  type KubeObject,
  type OwnerReference,
  type Resource,
} from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { type Cluster, startCluster } from "../../test/cluster.ts";
import { createGarbageCollector } from "./garbage-collector.ts";

const { configMaps, namespaces, clusterRoles } = builtInResources;
const nests: Resource = {
  group: "example.com",
  version: "v1",
  kind: "Nest",
  plural: "nests",
  singular: "nest",
  namespaced: true,
};

type Reference = Partial<OwnerReference>;

function mapOf(name: string, owners: readonly OwnerReference[] = [], namespace = "ns"): KubeObject {
  const metadata = { name, namespace, ...(owners.length > 0 && { ownerReferences: owners }) };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

function refTo(owner: KubeObject, more: Reference = {}): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  return { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "", ...more };
}

/** A cluster with a namespace, and a collector that can be stopped and started. */
async function startScene() {
  const cluster = await startCluster();
  for (const name of ["ns", "other"]) {
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    await cluster.create(namespace, namespaces);
  }
  let stop = startCollector(cluster);
  return {
    ...cluster,
    stop: () => stop(),
    start: () => {
      stop = startCollector(cluster);
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

function startCollector(cluster: Cluster): () => Promise<void> {
  const stopping = new AbortController();
  const running = createGarbageCollector(cluster.context).start(stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
}

type Scene = Awaited<ReturnType<typeof startScene>>;

const keyOf = (name: string, namespace = "ns") => ({ namespace, name });

async function find(scene: Scene, name: string, resource: Resource = configMaps) {
  try {
    return await scene.client.resource(resource).get(keyOf(name));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function gone(scene: Scene, name: string, resource: Resource = configMaps): Promise<true> {
  const ask = async () => (await find(scene, name, resource)) === undefined;
  return waitFor(ask, { what: `${name} to go` });
}

const create = (scene: Scene, object: KubeObject) => scene.create(object, configMaps);
const remove = (scene: Scene, name: string, propagationPolicy?: "Foreground" | "Orphan") =>
  scene.client
    .resource(configMaps)
    .delete(keyOf(name), { ...(propagationPolicy && { propagationPolicy }) });

test("what is owned goes with its owner, and what that owned as well", async () => {
  await using scene = await startScene();
  const owner = await create(scene, mapOf("owner"));
  const child = await create(scene, mapOf("child", [refTo(owner)]));
  await create(scene, mapOf("grandchild", [refTo(child)]));
  await create(scene, mapOf("stranger"));
  await remove(scene, "owner");
  await gone(scene, "child");
  await gone(scene, "grandchild");
  assert.ok(await find(scene, "stranger"));
});

test("who has another owner stays, and forgets the one that has gone", async () => {
  await using scene = await startScene();
  const first = await create(scene, mapOf("first"));
  const second = await create(scene, mapOf("second"));
  await create(scene, mapOf("child", [refTo(first), refTo(second)]));
  await remove(scene, "first");
  const owners = await waitFor(
    async () => {
      const child = await find(scene, "child");
      return child?.metadata.ownerReferences?.length === 1 && child.metadata.ownerReferences;
    },
    { what: "the reference to go" },
  );
  assert.deepEqual(owners, [refTo(second)]);
});

test("an owner in the foreground goes after those that block it, not after others", async () => {
  await using scene = await startScene();
  const owner = await create(scene, mapOf("owner"));
  const held = mapOf("blocking", [refTo(owner, { blockOwnerDeletion: true })]);
  const metadata = { ...held.metadata, finalizers: ["example.com/hold"] };
  await create(scene, { ...held, metadata });
  const idle = mapOf("idle", [refTo(owner)]);
  await create(scene, {
    ...idle,
    metadata: { ...idle.metadata, finalizers: ["example.com/hold"] },
  });
  await remove(scene, "owner", "Foreground");
  await waitFor(
    async () => (await find(scene, "blocking"))?.metadata.deletionTimestamp !== undefined,
    { what: "the dependent to be deleted" },
  );
  assert.deepEqual((await find(scene, "owner"))?.metadata.finalizers, ["foregroundDeletion"]);
  const free = { metadata: { finalizers: null } };
  await scene.client.resource(configMaps).patch(keyOf("blocking"), { type: "merge", patch: free });
  await gone(scene, "blocking");
  await gone(scene, "owner");
  assert.ok(await find(scene, "idle"));
});

test("an owner that is no longer blocked goes", async () => {
  await using scene = await startScene();
  const owner = await create(scene, mapOf("owner"));
  const held = mapOf("blocking", [refTo(owner, { blockOwnerDeletion: true })]);
  await create(scene, {
    ...held,
    metadata: { ...held.metadata, finalizers: ["example.com/hold"] },
  });
  await remove(scene, "owner", "Foreground");
  const patch = { metadata: { ownerReferences: [refTo(owner, { blockOwnerDeletion: false })] } };
  await scene.client.resource(configMaps).patch(keyOf("blocking"), { type: "merge", patch });
  await gone(scene, "owner");
});

test("a whole tree goes in the foreground, from its leaves", async () => {
  await using scene = await startScene();
  const deleted: string[] = [];
  scene.store.watch("configmaps", scene.store.revision, ({ entry, previous }) => {
    if (entry === undefined && previous !== undefined) deleted.push(previous.name);
  });
  const block = { blockOwnerDeletion: true };
  const root = await create(scene, mapOf("root"));
  const middle = await create(scene, mapOf("middle", [refTo(root, block)]));
  await create(scene, mapOf("leaf", [refTo(middle, block)]));
  await remove(scene, "root", "Foreground");
  await gone(scene, "root");
  assert.deepEqual(deleted, ["leaf", "middle", "root"]);
});

test("objects that own one another in a circle go in the foreground", async () => {
  await using scene = await startScene();
  const block = { blockOwnerDeletion: true };
  const a = await create(scene, mapOf("a"));
  const b = await create(scene, mapOf("b", [refTo(a, block)]));
  const patch = { metadata: { ownerReferences: [refTo(b, block)] } };
  await scene.client.resource(configMaps).patch(keyOf("a"), { type: "merge", patch });
  await remove(scene, "a", "Foreground");
  await gone(scene, "a");
  await gone(scene, "b");
});

test("what is orphaned stays, and forgets its owner", async () => {
  await using scene = await startScene();
  const owner = await create(scene, mapOf("owner"));
  await create(scene, mapOf("child", [refTo(owner)]));
  await remove(scene, "owner", "Orphan");
  await gone(scene, "owner");
  assert.equal((await find(scene, "child"))?.metadata.ownerReferences, undefined);
});

const absent: Record<string, (owner: KubeObject) => Reference> = {
  "an owner that never was": () => ({ name: "never", uid: "never" }),
  "another object of the same name": () => ({ uid: "other" }),
  "an owner of another kind": () => ({ kind: "Secret" }),
};
for (const [sentence, change] of Object.entries(absent)) {
  test(`who names ${sentence} goes`, async () => {
    await using scene = await startScene();
    const owner = await create(scene, mapOf("owner"));
    await create(scene, mapOf("child", [refTo(owner, change(owner))]));
    await gone(scene, "child");
    assert.ok(await find(scene, "owner"));
  });
}

test("who names an owner in another namespace goes", async () => {
  await using scene = await startScene();
  const owner = await create(scene, mapOf("owner", [], "other"));
  await create(scene, mapOf("child", [refTo(owner)]));
  await gone(scene, "child");
});

test("an owner without a namespace owns in all of them", async () => {
  await using scene = await startScene();
  const role = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    rules: [],
    metadata: { name: "owner" },
  };
  const owner = await scene.create(role, clusterRoles);
  await create(scene, mapOf("child", [refTo(owner)]));
  await create(
    scene,
    mapOf("later", [refTo({ ...owner, metadata: { ...owner.metadata, uid: "x" } })]),
  );
  await gone(scene, "later");
  assert.ok(await find(scene, "child"));
  await scene.client.resource(clusterRoles).delete({ name: "owner" });
  await gone(scene, "child");
});

test("an object without a namespace that names an owner in one is left alone", async () => {
  await using scene = await startScene();
  const owner = await create(scene, mapOf("owner"));
  const role = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    rules: [],
    metadata: { name: "child", ownerReferences: [refTo(owner)] },
  };
  await scene.create(role, clusterRoles);
  await create(scene, mapOf("after", [refTo(owner, { uid: "gone" })]));
  await gone(scene, "after");
  assert.ok(await scene.client.resource(clusterRoles).get({ name: "child" }));
});

test("an owner of a kind that is not served is waited for, until the kind is there", async () => {
  await using scene = await startScene();
  const nest = { apiVersion: "example.com/v1", kind: "Nest", name: "n", uid: "u" };
  await create(scene, mapOf("child", [nest]));
  const owner = await create(scene, mapOf("owner"));
  await create(scene, mapOf("after", [refTo(owner, { uid: "gone" })]));
  await gone(scene, "after");
  assert.ok(await find(scene, "child"));
  await scene.serve(nests);
  await gone(scene, "child");
});

test("custom kinds own and are owned", async () => {
  await using scene = await startScene();
  await scene.serve(nests);
  const nest = (name: string, ownerReferences: readonly OwnerReference[] = []) => ({
    apiVersion: "example.com/v1",
    kind: "Nest",
    metadata: { name, namespace: "ns", ...(ownerReferences.length > 0 && { ownerReferences }) },
  });
  const owner = await scene.create(nest("owner"), nests);
  await scene.create(nest("child", [refTo(owner)]), nests);
  await create(scene, mapOf("map", [refTo(owner)]));
  await scene.client.resource(nests).delete(keyOf("owner"));
  await gone(scene, "child", nests);
  await gone(scene, "map");
});

test("objects of a kind that is served later count as well", async () => {
  await using scene = await startScene();
  await scene.stop();
  const metadata = { name: "old", namespace: "ns", uid: "old" };
  const owner = { apiVersion: "example.com/v1", kind: "Nest", metadata };
  const place = { resource: "nests.example.com", namespace: "ns", expected: 0 };
  await scene.store.write({ ...place, name: "old", object: owner });
  const child = { ...metadata, name: "child", uid: "child", ownerReferences: [refTo(owner)] };
  await scene.store.write({ ...place, name: "child", object: { ...owner, metadata: child } });
  scene.start();
  await scene.serve(nests);
  await scene.client.resource(nests).delete(keyOf("old"));
  await gone(scene, "child", nests);
});

test("what happened while it did not run is made up for", async () => {
  await using scene = await startScene();
  const owner = await create(scene, mapOf("owner"));
  const front = await create(scene, mapOf("front"));
  const orphaning = await create(scene, mapOf("orphaning"));
  await create(scene, mapOf("child", [refTo(owner)]));
  await create(scene, mapOf("front-child", [refTo(front, { blockOwnerDeletion: true })]));
  await create(scene, mapOf("orphan", [refTo(orphaning)]));
  await scene.stop();
  await remove(scene, "owner");
  await remove(scene, "front", "Foreground");
  await remove(scene, "orphaning", "Orphan");
  scene.start();
  for (const name of ["child", "front", "front-child", "orphaning"]) await gone(scene, name);
  assert.equal((await find(scene, "orphan"))?.metadata.ownerReferences, undefined);
});
