import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { createCertificateAuthority } from "@rookery/pki";
import { waitFor } from "@rookery/testing";
import { startCluster } from "../../test/cluster.ts";
import { csrResource } from "./approver.ts";
import { createCertificateCleaner } from "./cleaner.ts";

const now = new Date("2026-01-02T00:00:00Z");
const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();

test("requests go an hour after they were decided, a day after nobody did, or with their certificate", async () => {
  await using cluster = await startCluster(() => now);
  const { certificate: pem } = await createCertificateAuthority({
    commonName: "x",
    lifetimeSeconds: 3600,
    now: () => new Date(before(20)),
  });
  const certificate = Buffer.from(pem).toString("base64");
  const write = (name: string, age: number, status: object) => {
    const metadata = { name, uid: name, creationTimestamp: before(age) };
    const type = { apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest" };
    const object = { ...type, metadata, status } as KubeObject;
    return cluster.store.write({ resource: csrResource, namespace: "", name, expected: 0, object });
  };
  const decided = (type: string, hours: number) => ({
    conditions: [{ type, status: "True", lastUpdateTime: before(hours) }],
  });
  await write("pending-long", 24.1, {});
  await write("pending", 23.9, {});
  await write("denied-long", 2, decided("Denied", 1.1));
  await write("denied", 2, decided("Denied", 0.9));
  await write("failed-long", 2, decided("Failed", 1.1));
  await write("unsigned", 99, decided("Approved", 98));
  await write("expired", 99, { ...decided("Approved", 0.1), certificate });
  const stopping = new AbortController();
  const running = createCertificateCleaner(cluster.context).start(stopping.signal);
  const names = () => cluster.store.list(csrResource).entries.map(({ name }) => name);
  await waitFor(() => names().length === 3, {
    what: "old requests to go",
    detail: () => `${names()}`,
  });
  assert.deepEqual(names(), ["denied", "pending", "unsigned"]);
  stopping.abort();
  await running;
});
