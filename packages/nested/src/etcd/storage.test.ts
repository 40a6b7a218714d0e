import assert from "node:assert/strict";
import { test } from "node:test";
import { backendQuota, storageInUse } from "./storage.ts";

test("the database leaves room in its volume, and never grows past what etcd advises", () => {
  assert.equal(backendQuota("1Gi"), Math.floor(0.6 * 1024 ** 3));
  assert.equal(backendQuota("1G"), 600_000_000);
  assert.equal(backendQuota("100Gi"), 8 * 1024 ** 3);
});

test("the storage in use is that of the claims, whatever the spec says", () => {
  const spec = { storageClassName: "fast", resources: { requests: { storage: "2Gi" } } };
  const statefulSet = {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {},
    spec: { volumeClaimTemplates: [{ spec }] },
  };
  assert.deepEqual(storageInUse(statefulSet as never), { size: "2Gi", storageClassName: "fast" });
  assert.equal(storageInUse(undefined), undefined);
});
