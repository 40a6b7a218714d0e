import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestRegistry } from "../../test/registry/registry.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

test("an object is created, read, listed, changed and deleted", async () => {
  await using registry = await createTestRegistry();
  const { ask } = registry;
  const created = await ask(configMaps, { body: { metadata: { name: "a" }, data: { x: "1" } } });
  assert.equal(created.status, 201);
  const { uid, creationTimestamp, ...metadata } = created.body.metadata;
  assert.deepEqual(metadata, { name: "a", namespace: "default", resourceVersion: "2" });
  assert.deepEqual((await ask(`${configMaps}/a`)).body, created.body);
  const { kind, apiVersion, ...item } = created.body;
  assert.deepEqual((await ask(configMaps)).body, {
    kind: "ConfigMapList",
    apiVersion: "v1",
    metadata: { resourceVersion: "2" },
    items: [item],
  });
  const changed = await ask(`${configMaps}/a`, {
    method: "PUT",
    body: { metadata: { name: "a" }, data: { x: "2" } },
  });
  assert.equal(changed.body.metadata.resourceVersion, "3");
  assert.equal(changed.body.metadata.uid, uid);
  assert.equal(changed.body.metadata.creationTimestamp, creationTimestamp);
  const deleted = await ask(`${configMaps}/a`, { method: "DELETE" });
  assert.deepEqual(deleted.body, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name: "a", kind: "configmaps", uid },
  });
  assert.equal((await ask(`${configMaps}/a`)).status, 404);
});
