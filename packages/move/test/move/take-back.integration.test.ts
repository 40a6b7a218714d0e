import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient, loadConfig } from "@rookery/client";
import { builtInResources, isNotFound, type KubeObject } from "@rookery/kube";
import { startKubernetes } from "@rookery/testing";
import { deleteCreated } from "../../src/move/phases.ts";

test("a rollback deletes what came with the move, and nothing that was there before it", async () => {
  await using kubernetes = await startKubernetes();
  await using client = createClient(await loadConfig({ path: kubernetes.kubeconfig }));
  await using namespace = await kubernetes.createNamespace("take-back");
  const { configMaps: resource } = builtInResources;
  const key = { namespace: namespace.name, name: "a" };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: key };
  const { metadata } = await client.resource<KubeObject>(resource).create(object);
  const created = new Date(metadata.creationTimestamp ?? "").getTime();
  const entries = [{ resource, key, uid: "", group: 0, existed: false }];
  const after = (minutes: number) => ({ began: new Date(created + minutes * 60_000) });
  await deleteCreated(client, after(6), entries);
  await client.resource(resource).get(key);
  await deleteCreated(client, after(-1), entries);
  await assert.rejects(client.resource(resource).get(key), isNotFound);
});
