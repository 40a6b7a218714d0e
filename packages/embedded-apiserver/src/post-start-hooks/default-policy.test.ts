import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterRole } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { type Cluster, startCluster } from "../../test/server/cluster.ts";
import { createLoopbackClient } from "../server/loopback.ts";
import { bootstrapCluster } from "./bootstrap.ts";
import type { DirectWriteOptions } from "./default-policy.ts";

const plurals = ["clusterroles", "clusterrolebindings", "roles", "rolebindings"];

test("directly written roles and bindings are those that the API makes, byte by byte", async () => {
  const now = () => new Date("2026-01-02T03:04:05Z");
  await using asked = await startCluster(now);
  await using written = await startCluster(now);
  await bootstrap(asked);
  await bootstrap(written, { store: written.store, now });
  for (const resource of plurals) {
    const expected = textsOf(asked, resource);
    assert.ok(expected.length > 5, `${expected.length} ${resource}`);
    assert.deepEqual(textsOf(written, resource), expected);
  }
});

test("roles that are missed on a cluster that is not new are made by requests, which admission hears of", async () => {
  await using cluster = await startCluster();
  const directWrites = { store: cluster.store, now: cluster.context.now };
  assert.deepEqual(await bootstrap(cluster, directWrites), []);
  const key = { resource: "roles.rbac.authorization.k8s.io", namespace: "kube-public" };
  const [entry] = cluster.store.list(key.resource, key).entries;
  assert.ok(entry);
  await cluster.store.write({ ...entry, expected: entry.revision, object: undefined });
  const created = await bootstrap(cluster, directWrites);
  assert.deepEqual(created, ["/apis/rbac.authorization.k8s.io/v1/namespaces/kube-public/roles"]);
  assert.notEqual(cluster.store.get(entry), undefined);
});

test("a role that somebody was faster to make on a new cluster is mended", async () => {
  await using cluster = await startCluster();
  const name = "system:discovery";
  const type = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole" };
  await cluster.create({ ...type, metadata: { name } }, builtInResources.clusterRoles);
  await bootstrap(cluster, { store: cluster.store, now: cluster.context.now });
  const found = await cluster.client
    .resource<ClusterRole & KubeObject>(builtInResources.clusterRoles)
    .get({ name });
  assert.notDeepEqual(found.rules ?? [], []);
});

/** Gives where roles and bindings were made by requests. */
async function bootstrap(cluster: Cluster, directWrites?: DirectWriteOptions): Promise<string[]> {
  const created: string[] = [];
  const client = createLoopbackClient((request) => {
    if (request.method === "POST" && request.path.includes("/rbac.")) created.push(request.path);
    return cluster.client.handler(request);
  });
  const { signal } = new AbortController();
  const advertised = { ip: "192.0.2.1", port: 6443 };
  const options = { client, signal, advertised, serviceIp: "10.96.0.1" };
  await bootstrapCluster({ ...options, directWrites });
  return created;
}

/** Without what no two objects have in common. */
function textsOf({ store }: Cluster, resource: string): string[] {
  return store.list(`${resource}.rbac.authorization.k8s.io`).entries.map(({ bytes }) => {
    const text = Buffer.from(bytes).toString();
    const { uid = "", resourceVersion } = (JSON.parse(text) as KubeObject).metadata;
    assert.match(uid, /^[0-9a-f-]{36}$/);
    return text.replace(uid, "uid").replace(`"${resourceVersion}"`, '"version"');
  });
}
