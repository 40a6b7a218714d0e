import assert from "node:assert/strict";
import { test } from "node:test";
import type { EndpointSlice, Endpoints, Service, ServiceSpec } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { builtInResources, storedObjects } from "@rookery/kube";
import { createTemporaryFolder, waitFor } from "@rookery/testing";
import type { Cluster } from "../../test/cluster.ts";
import { appears, find, gone, namespaceOf, startScene } from "../../test/scene.ts";

const nodes = builtInResources.nodes;
const ns = "ns";

async function startServices() {
  const scene = await startScene();
  await scene.create(namespaceOf(ns), builtInResources.namespaces);
  await scene.create({ apiVersion: "v1", kind: "Node", metadata: { name: "n" } }, nodes);
  await appears(scene, builtInResources.serviceAccounts, { namespace: ns, name: "default" });
  return scene;
}

function serviceOf(name: string, spec: ServiceSpec): KubeObject {
  const metadata = { name, namespace: ns, labels: { team: "web" } };
  return { apiVersion: "v1", kind: "Service", metadata, spec };
}

interface PodOptions {
  readonly ip: string;
  readonly ready?: boolean;
  readonly port?: number;
}

async function makePod(scene: Cluster, name: string, options: PodOptions): Promise<void> {
  const { ip, ready = true, port = 8080 } = options;
  const ports = [{ name: "http", containerPort: port }];
  const spec = { nodeName: "n", containers: [{ name: "main", image: "x", ports }] };
  const metadata = { name, namespace: ns, labels: { app: "web" } };
  await scene.create({ apiVersion: "v1", kind: "Pod", metadata, spec }, builtInResources.pods);
  const conditions = [{ type: "Ready", status: ready ? "True" : "False" }];
  const status = { phase: "Running", podIP: ip, podIPs: [{ ip }], conditions };
  await patchStatus(scene, name, status);
}

async function patchStatus(scene: Cluster, name: string, status: object): Promise<void> {
  const key = { namespace: ns, name };
  const pods = scene.client.resource(builtInResources.pods);
  await pods.status.patch(key, { type: "merge", patch: { status } });
}

function slicesOf(scene: Cluster): readonly EndpointSlice[] {
  return storedObjects<EndpointSlice>(scene.store, "endpointslices.discovery.k8s.io", ns);
}

function slices(scene: Cluster, until: (found: readonly EndpointSlice[]) => boolean) {
  const ask = () => {
    const found = slicesOf(scene);
    return until(found) ? found : undefined;
  };
  return waitFor(ask, { what: "the slices" });
}

const addressesIn = (found: readonly EndpointSlice[]) =>
  found.flatMap(({ endpoints }) => (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []));

const web: ServiceSpec = { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }] };

test("a Service without pods has one empty slice and empty Endpoints", async () => {
  await using scene = await startServices();
  await scene.create(serviceOf("web", web), builtInResources.services);
  const [slice] = await slices(scene, (found) => found.length === 1);
  assert.deepEqual(slice?.metadata?.labels, {
    team: "web",
    "kubernetes.io/service-name": "web",
    "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
  });
  assert.deepEqual(
    [slice?.addressType, slice?.endpoints ?? [], slice?.ports ?? []],
    ["IPv4", [], []],
  );
  assert.match(slice?.metadata?.name ?? "", /^web-.{5}$/);
  const endpoints = await appears(scene, builtInResources.endpoints, {
    namespace: ns,
    name: "web",
  });
  assert.deepEqual(endpoints.metadata.labels, {
    team: "web",
    "endpoints.kubernetes.io/managed-by": "endpoint-controller",
  });
});

test("endpoints follow the readiness, the address and the end of pods", async () => {
  await using scene = await startServices();
  await scene.create(serviceOf("web", web), builtInResources.services);
  await makePod(scene, "a", { ip: "10.1.0.1" });
  await makePod(scene, "b", { ip: "10.1.0.2", ready: false });
  const found = await slices(scene, (all) => addressesIn(all).length === 2);
  assert.equal(found.length, 1);
  assert.deepEqual(found[0]?.ports, [{ name: "", port: 8080, protocol: "TCP" }]);
  const states = (found[0]?.endpoints ?? []).map(({ targetRef, conditions, nodeName }) => [
    targetRef?.name,
    conditions?.ready,
    conditions?.serving,
    nodeName,
  ]);
  assert.deepEqual(states.sort(), [
    ["a", true, true, "n"],
    ["b", false, false, "n"],
  ]);
  const subsets = await waitFor(
    async () => {
      const key = { namespace: ns, name: "web" };
      const [subset] =
        ((await find(scene, builtInResources.endpoints, key)) as Endpoints).subsets ?? [];
      return subset?.addresses && subset.notReadyAddresses ? subset : undefined;
    },
    { what: "the Endpoints" },
  );
  assert.deepEqual(
    subsets.addresses?.map(({ ip }) => ip),
    ["10.1.0.1"],
  );
  assert.deepEqual(
    subsets.notReadyAddresses?.map(({ ip }) => ip),
    ["10.1.0.2"],
  );
  await patchStatus(scene, "b", { phase: "Failed" });
  await slices(scene, (all) => addressesIn(all).join() === "10.1.0.1");
  const pods = scene.client.resource(builtInResources.pods);
  await pods.delete({ namespace: ns, name: "a" }, { gracePeriodSeconds: 30 });
  const [ending] = await slices(
    scene,
    (all) => all[0]?.endpoints?.[0]?.conditions?.ready === false,
  );
  assert.deepEqual(ending?.endpoints?.[0]?.conditions, {
    ready: false,
    serving: true,
    terminating: true,
  });
});

test("pods that name a port otherwise have slices of their own", async () => {
  await using scene = await startServices();
  await scene.create(serviceOf("web", web), builtInResources.services);
  await makePod(scene, "a", { ip: "10.1.0.1", port: 8080 });
  await makePod(scene, "b", { ip: "10.1.0.2", port: 9090 });
  const found = await slices(scene, (all) => all.length === 2 && addressesIn(all).length === 2);
  const ports = found.map((slice) => slice.ports?.[0]?.port);
  assert.deepEqual(ports.sort(), [8080, 9090]);
});

test("a headless Service that publishes all has ready endpoints of pods that are not", async () => {
  await using scene = await startServices();
  const spec: ServiceSpec = { ...web, clusterIP: "None", publishNotReadyAddresses: true };
  await scene.create(serviceOf("web", spec), builtInResources.services);
  await makePod(scene, "a", { ip: "10.1.0.1", ready: false });
  const [slice] = await slices(scene, (all) => addressesIn(all).length === 1);
  assert.equal(slice?.metadata?.labels?.["service.kubernetes.io/headless"], "");
  assert.deepEqual(slice?.endpoints?.[0]?.conditions, {
    ready: true,
    serving: false,
    terminating: false,
  });
});

test("a slice that someone changes or deletes is mended", async () => {
  await using scene = await startServices();
  await scene.create(serviceOf("web", web), builtInResources.services);
  await makePod(scene, "a", { ip: "10.1.0.1" });
  const [slice] = await slices(scene, (all) => addressesIn(all).length === 1);
  const key = { namespace: ns, name: slice?.metadata?.name ?? "" };
  const all = scene.client.resource(builtInResources.endpointSlices);
  await all.patch(key, { type: "merge", patch: { endpoints: [{ addresses: ["10.9.9.9"] }] } });
  await slices(scene, (found) => addressesIn(found).join() === "10.1.0.1");
  await all.delete(key);
  const again = await slices(scene, (found) => addressesIn(found).length === 1);
  assert.equal(again.length, 1);
});

test("Endpoints that are made by hand are mirrored, and go with their Service", async () => {
  await using scene = await startServices();
  await scene.create(
    serviceOf("db", { ports: [{ name: "sql", port: 5432 }] }),
    builtInResources.services,
  );
  const endpoints = {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "db", namespace: ns, labels: { mine: "yes" }, annotations: { note: "x" } },
    subsets: [
      {
        addresses: [{ ip: "192.0.2.1" }],
        notReadyAddresses: [{ ip: "192.0.2.2" }],
        ports: [{ name: "sql", port: 5432 }],
      },
    ],
  };
  await scene.create(endpoints, builtInResources.endpoints);
  const [slice] = await slices(scene, (all) => addressesIn(all).length === 2);
  assert.deepEqual(slice?.metadata?.labels, {
    mine: "yes",
    "kubernetes.io/service-name": "db",
    "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io",
  });
  assert.deepEqual(slice?.metadata?.annotations, { note: "x" });
  assert.deepEqual(
    slice?.endpoints?.map(({ addresses, conditions }) => [addresses?.[0], conditions?.ready]),
    [
      ["192.0.2.1", true],
      ["192.0.2.2", false],
    ],
  );
  await scene.client.resource(builtInResources.services).delete({ namespace: ns, name: "db" });
  await gone(scene, builtInResources.endpoints, { namespace: ns, name: "db" });
  await slices(scene, (all) => all.length === 0);
});

test("the slices of a Service that has gone go, too", async () => {
  await using scene = await startServices();
  await scene.create(serviceOf("web", web), builtInResources.services);
  await slices(scene, (all) => all.length === 1);
  await appears(scene, builtInResources.endpoints, { namespace: ns, name: "web" });
  await scene.client.resource(builtInResources.services).delete({ namespace: ns, name: "web" });
  await gone(scene, builtInResources.endpoints, { namespace: ns, name: "web" });
  await slices(scene, (all) => all.length === 0);
});

test("a LoadBalancer has its cluster IP as its address, where there is a node", async () => {
  await using folder = await createTemporaryFolder("volumes");
  await using scene = await startScene({ volumes: folder.path });
  await scene.create(namespaceOf(ns), builtInResources.namespaces);
  const spec: ServiceSpec = { type: "LoadBalancer", ports: [{ port: 8080 }] };
  const made = (await scene.create(serviceOf("lb", spec), builtInResources.services)) as Service;
  const balanced = () =>
    waitFor(
      async () => {
        const key = { namespace: ns, name: "lb" };
        const service = (await find(scene, builtInResources.services, key)) as Service;
        return service.status?.loadBalancer?.ingress?.[0];
      },
      { what: "the address" },
    );
  const { ip } = await balanced();
  assert.equal(ip, made.spec?.clusterIP);
});
