import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  ClusterRole,
  ConfigMap,
  EndpointSlice,
  ServiceSpec,
  StorageClass,
} from "@rookery/api";
import { builtInResources, type ObjectKey } from "@rookery/kube";
import { startRunnables } from "@rookery/runtime";
import { FakeClock, waitFor } from "@rookery/testing";
import {
  appears,
  type Cluster,
  find,
  namespaceOf,
  startCluster,
} from "../../test/server/cluster.ts";
import { bootstrapCluster } from "./bootstrap.ts";
import { createAuthenticationConfigPublisher, createEventExpiry } from "./start-hooks.ts";

const authentication = {
  current: {
    clientCa: "CLIENTS",
    requestHeader: {
      clientCa: "PROXIES",
      allowedNames: ["front-proxy-client"],
      usernameHeaders: ["X-Remote-User"],
      uidHeaders: [],
      groupHeaders: ["X-Remote-Group"],
      extraHeaderPrefixes: ["X-Remote-Extra-"],
    },
  },
};

test("extension API servers are told whom to trust", async () => {
  await using scene = await startCluster();
  const publisher = createAuthenticationConfigPublisher(scene.context, authentication);
  const errors: unknown[] = [];
  await using _ = startRunnables([publisher], (error) => errors.push(error));
  await scene.create(namespaceOf("kube-system"), builtInResources.namespaces);
  const key = { namespace: "kube-system", name: "extension-apiserver-authentication" };
  const { data } = (await appears(scene, builtInResources.configMaps, key)) as ConfigMap;
  assert.deepEqual(data, {
    "client-ca-file": "CLIENTS",
    "requestheader-allowed-names": '["front-proxy-client"]',
    "requestheader-client-ca-file": "PROXIES",
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-username-headers": '["X-Remote-User"]',
  });
  assert.deepEqual(errors, []);
});

test("an event goes an hour after it was written last", async () => {
  const clock = new FakeClock();
  await using scene = await startCluster(clock.date);
  const write = (name: string, creationTimestamp: string) => {
    const metadata = { name, namespace: "ns", uid: name, creationTimestamp };
    const object = { apiVersion: "v1", kind: "Event", metadata };
    return scene.store.write({ resource: "events", namespace: "ns", name, expected: 0, object });
  };
  await write("old", "2025-12-31T23:00:00Z");
  await write("young", "2025-12-31T23:00:01Z");
  const deleted: string[] = [];
  const client = {
    ...scene.client,
    resource: () => ({ delete: async ({ name }: ObjectKey) => void deleted.push(name) }),
  };
  const stopping = new AbortController();
  const context = { ...scene.context, client: client as unknown as Cluster["client"] };
  const running = createEventExpiry(context).start(stopping.signal);
  await waitFor(() => deleted.length === 1, { what: "the old event to go" });
  assert.deepEqual(deleted, ["old"]);
  stopping.abort();
  await running;
});

test("a new cluster has its namespaces, roles and Service; a second start mends them", async () => {
  await using scene = await startCluster();
  const signal = new AbortController().signal;
  const advertised = { ip: "192.0.2.1", port: 6443 };
  const options = { client: scene.client, signal, advertised, serviceIp: "10.96.0.1" };
  await bootstrapCluster(options);
  const count = (resource: string) => scene.store.list(resource).entries.length;
  assert.equal(count("namespaces"), 4);
  const roles = count("clusterroles.rbac.authorization.k8s.io");
  assert.ok(roles > 60);
  const service = await find(scene, builtInResources.services, {
    namespace: "default",
    name: "kubernetes",
  });
  const { clusterIP } = (service?.spec ?? {}) as ServiceSpec;
  assert.equal(clusterIP, "10.96.0.1");
  const view = { name: "system:discovery" };
  const patch = { rules: [] };
  await scene.client.resource(builtInResources.clusterRoles).patch(view, { type: "merge", patch });
  const { revision } = scene.store;
  await bootstrapCluster({ ...options, advertised: { ip: "192.0.2.2", port: 6443 } });
  const mended = (await find(scene, builtInResources.clusterRoles, view)) as ClusterRole;
  assert.ok((mended.rules ?? []).length > 0);
  assert.equal(count("clusterroles.rbac.authorization.k8s.io"), roles);
  assert.equal(scene.store.revision - revision, 2);
});

test("a cluster with pods of this machine has the class that it is given, and endpoints of its own Service", async () => {
  const networks = { podCidr: "127.64.0.0/16", serviceCidr: "127.96.0.0/16" };
  await using scene = await startCluster(undefined, networks);
  const { signal } = new AbortController();
  const advertised = { ip: "127.0.0.1", port: 6443 };
  const options = { client: scene.client, signal, advertised, serviceIp: "127.96.0.1" };
  const type = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" };
  const storageClass = { ...type, metadata: { name: "standard" }, provisioner: "example.com/p" };
  await bootstrapCluster({ ...options, hasLocalPods: true, storageClass });
  const found = await find(scene, builtInResources.storageClasses, { name: "standard" });
  assert.equal((found as StorageClass | undefined)?.provisioner, "example.com/p");
  const key = { namespace: "default", name: "kubernetes" };
  const slice = (await find(scene, builtInResources.endpointSlices, key)) as
    | EndpointSlice
    | undefined;
  assert.deepEqual(slice?.endpoints?.[0]?.addresses, ["127.0.0.1"]);
});
