import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  PersistentVolumeSpec,
} from "@rookery/api";
import { loadNode } from "@rookery/embedded-node";
import type { KubeObject } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { createTemporaryFolder, waitFor } from "@rookery/testing";
import type { Cluster } from "../../test/cluster.ts";
import { appears, find, gone, namespaceOf, startScene } from "../../test/scene.ts";

const { standardStorageClass } = await loadNode();

const ns = "ns";

async function startVolumes() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await createTemporaryFolder("volumes"));
  await mkdir(join(folder.path, "pvc-left-behind"));
  await mkdir(join(folder.path, "pvc-kept"));
  await writeFile(join(folder.path, "pvc-kept", "data"), "x");
  const scene = stack.use(await startScene({ volumes: folder.path }));
  await scene.create(namespaceOf(ns), builtInResources.namespaces);
  await appears(scene, builtInResources.serviceAccounts, { namespace: ns, name: "default" });
  const owned = stack.move();
  return { ...scene, folder: folder.path, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function claimOf(name: string, spec: PersistentVolumeClaimSpec = {}): KubeObject {
  const whole = {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
    ...spec,
  };
  const metadata = { name, namespace: ns };
  return { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata, spec: whole };
}

function volumeOf(name: string, spec: PersistentVolumeSpec = {}, labels = {}): KubeObject {
  const whole = {
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
    hostPath: { path: `/srv/${name}` },
    ...spec,
  };
  const metadata = { name, labels };
  return { apiVersion: "v1", kind: "PersistentVolume", metadata, spec: whole };
}

function phases(scene: Cluster, of: { readonly volume?: string; readonly claim?: string }) {
  const { volume, claim } = of;
  const key = volume ? { name: volume } : { namespace: ns, name: claim ?? "" };
  const resource = volume
    ? builtInResources.persistentVolumes
    : builtInResources.persistentVolumeClaims;
  return async (phase: string) => {
    const ask = async () => {
      const found = await find(scene, resource, key);
      const status = found?.status as { phase?: string } | undefined;
      return status?.phase === phase ? found : undefined;
    };
    return waitFor(ask, { what: `${key.name} to be ${phase}` });
  };
}

test("a claim without a class gets a folder, which goes with it", async () => {
  await using scene = await startVolumes();
  await scene.create(standardStorageClass as KubeObject, builtInResources.storageClasses);
  await scene.create(claimOf("c"), builtInResources.persistentVolumeClaims);
  const claim = (await phases(scene, { claim: "c" })("Bound")) as PersistentVolumeClaim;
  const name = claim.spec?.volumeName ?? "";
  assert.equal(name, `pvc-${claim.metadata?.uid}`);
  assert.deepEqual(claim.status, {
    phase: "Bound",
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
  });
  const volume = (await phases(scene, { volume: name })("Bound")) as PersistentVolume;
  const path = join(scene.folder, name);
  assert.equal(volume.spec?.hostPath?.path, path);
  assert.equal(volume.spec?.persistentVolumeReclaimPolicy, "Delete");
  await writeFile(join(path, "data"), "x");
  await scene.client
    .resource(builtInResources.persistentVolumeClaims)
    .delete({ namespace: ns, name: "c" });
  await gone(scene, builtInResources.persistentVolumes, { name });
  assert.equal(existsSync(path), false);
});

test("a folder that was made for nobody is removed at the start, one with data stays", async () => {
  await using scene = await startVolumes();
  const ask = async () => (await readdir(scene.folder)).join() === "pvc-kept";
  await waitFor(ask, { what: "the folder that was left behind to go" });
});

test("a claim that came before its class is given it", async () => {
  await using scene = await startVolumes();
  await scene.create(claimOf("c"), builtInResources.persistentVolumeClaims);
  await phases(scene, { claim: "c" })("Pending");
  await scene.create(standardStorageClass as KubeObject, builtInResources.storageClasses);
  const claim = (await phases(scene, { claim: "c" })("Bound")) as PersistentVolumeClaim;
  assert.equal(claim.spec?.storageClassName, "standard");
});

test("a class that retains keeps the folder, and the volume is Released", async () => {
  await using scene = await startVolumes();
  const retaining = { ...standardStorageClass, reclaimPolicy: "Retain" };
  await scene.create(retaining as KubeObject, builtInResources.storageClasses);
  await scene.create(claimOf("c"), builtInResources.persistentVolumeClaims);
  const claim = (await phases(scene, { claim: "c" })("Bound")) as PersistentVolumeClaim;
  const name = claim.spec?.volumeName ?? "";
  const path = join(scene.folder, name);
  await writeFile(join(path, "data"), "x");
  await scene.client
    .resource(builtInResources.persistentVolumeClaims)
    .delete({ namespace: ns, name: "c" });
  await phases(scene, { volume: name })("Released");
  await scene.client.resource(builtInResources.persistentVolumes).delete({ name });
  await gone(scene, builtInResources.persistentVolumes, { name });
  assert.equal(existsSync(join(path, "data")), true);
});

test("a claim gets the smallest volume that does, by modes, class and labels", async () => {
  await using scene = await startVolumes();
  const volumes = [
    volumeOf("small", { capacity: { storage: "500Mi" } }),
    volumeOf("large", { capacity: { storage: "10Gi" } }),
    volumeOf("right", { capacity: { storage: "2Gi" } }),
    volumeOf("classed", { storageClassName: "other" }),
    volumeOf("read", { accessModes: ["ReadOnlyMany"] }),
    volumeOf("labelled", { capacity: { storage: "5Gi" } }, { disk: "fast" }),
  ];
  for (const volume of volumes) {
    await scene.create(volume, builtInResources.persistentVolumes);
    await phases(scene, { volume: volume.metadata.name ?? "" })("Available");
  }
  const spec = { storageClassName: "" };
  await scene.create(claimOf("any", spec), builtInResources.persistentVolumeClaims);
  const selector = { matchLabels: { disk: "fast" } };
  await scene.create(
    claimOf("fast", { ...spec, selector }),
    builtInResources.persistentVolumeClaims,
  );
  await scene.create(
    claimOf("named", { ...spec, volumeName: "large" }),
    builtInResources.persistentVolumeClaims,
  );
  const bound = async (claim: string) =>
    ((await phases(scene, { claim })("Bound")) as PersistentVolumeClaim).spec?.volumeName;
  assert.equal(await bound("any"), "right");
  assert.equal(await bound("fast"), "labelled");
  assert.equal(await bound("named"), "large");
});

test("a volume that is reserved for a claim goes to no other", async () => {
  await using scene = await startVolumes();
  const claimRef = { namespace: ns, name: "mine" };
  await scene.create(volumeOf("v", { claimRef }), builtInResources.persistentVolumes);
  await phases(scene, { volume: "v" })("Available");
  const spec = { storageClassName: "" };
  await scene.create(claimOf("other", spec), builtInResources.persistentVolumeClaims);
  await scene.create(claimOf("mine", spec), builtInResources.persistentVolumeClaims);
  await phases(scene, { claim: "mine" })("Bound");
  const other = await find(scene, builtInResources.persistentVolumeClaims, {
    namespace: ns,
    name: "other",
  });
  assert.deepEqual(other?.status, { phase: "Pending" });
});

test("a claim whose volume has gone is Lost", async () => {
  await using scene = await startVolumes();
  await scene.create(volumeOf("v"), builtInResources.persistentVolumes);
  await scene.create(
    claimOf("c", { storageClassName: "" }),
    builtInResources.persistentVolumeClaims,
  );
  await phases(scene, { claim: "c" })("Bound");
  const volumes = scene.client.resource(builtInResources.persistentVolumes);
  await volumes.delete({ name: "v" });
  const held = await find(scene, builtInResources.persistentVolumes, { name: "v" });
  assert.deepEqual(held?.metadata.finalizers, ["kubernetes.io/pv-protection"]);
  const patch = { metadata: { finalizers: null } };
  await volumes.patch({ name: "v" }, { type: "merge", patch });
  await phases(scene, { claim: "c" })("Lost");
});

test("a claim that a pod uses stays until the pod has gone", async () => {
  await using scene = await startVolumes();
  await scene.create(
    claimOf("c", { storageClassName: "" }),
    builtInResources.persistentVolumeClaims,
  );
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "c" } }];
  const spec = { nodeName: "n", volumes, containers: [{ name: "main", image: "x" }] };
  const metadata = { name: "p", namespace: ns };
  await scene.create({ apiVersion: "v1", kind: "Pod", metadata, spec }, builtInResources.pods);
  const key = { namespace: ns, name: "c" };
  const claims = scene.client.resource(builtInResources.persistentVolumeClaims);
  await claims.delete(key);
  const held = await find(scene, builtInResources.persistentVolumeClaims, key);
  assert.deepEqual(held?.metadata.finalizers, ["kubernetes.io/pvc-protection"]);
  const pods = scene.client.resource(builtInResources.pods);
  await pods.delete({ namespace: ns, name: "p" }, { gracePeriodSeconds: 0 });
  await gone(scene, builtInResources.persistentVolumeClaims, key);
});

test("a class may wait for the pod of its claim", async () => {
  await using scene = await startVolumes();
  const waiting = { ...standardStorageClass, volumeBindingMode: "WaitForFirstConsumer" };
  await scene.create(waiting as KubeObject, builtInResources.storageClasses);
  await scene.create(claimOf("c"), builtInResources.persistentVolumeClaims);
  const { namespace, name } = { namespace: ns, name: "c" };
  const events = () => scene.store.list("events", { namespace: ns }).entries;
  await waitFor(
    () =>
      events().some(({ object }) => "reason" in object && object.reason === "WaitForFirstConsumer"),
    { what: "the claim to be told that it waits" },
  );
  const annotations = { "volume.kubernetes.io/selected-node": "n" };
  const claims = scene.client.resource(builtInResources.persistentVolumeClaims);
  await claims.patch({ namespace, name }, { type: "merge", patch: { metadata: { annotations } } });
  await phases(scene, { claim: "c" })("Bound");
});

test("a volume of a pod's own is claimed for it", async () => {
  await using scene = await startVolumes();
  await scene.create(standardStorageClass as KubeObject, builtInResources.storageClasses);
  const template = {
    metadata: { labels: { a: "b" } },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const volumes = [{ name: "scratch", ephemeral: { volumeClaimTemplate: template } }];
  const spec = { volumes, containers: [{ name: "main", image: "x" }] };
  const metadata = { name: "p", namespace: ns };
  await scene.create({ apiVersion: "v1", kind: "Pod", metadata, spec }, builtInResources.pods);
  const claim = await phases(scene, { claim: "p-scratch" })("Bound");
  assert.equal(claim.metadata.ownerReferences?.[0]?.name, "p");
  assert.deepEqual(claim.metadata.labels, { a: "b" });
  await scene.client.resource(builtInResources.pods).delete({ namespace: ns, name: "p" });
  await gone(scene, builtInResources.persistentVolumeClaims, { namespace: ns, name: "p-scratch" });
});
