import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod, PodSpec } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { type Cluster, startCluster } from "../../test/cluster.ts";
import { find, namespaceOf } from "../../test/scene.ts";
import { createScheduler } from "./scheduler.ts";

const nodes = builtInResources.nodes;

async function startScheduling() {
  const cluster = await startCluster();
  await cluster.create(namespaceOf("ns"), builtInResources.namespaces);
  await cluster.create(
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: "ns" } },
    builtInResources.serviceAccounts,
  );
  const stopping = new AbortController();
  const running = createScheduler(cluster.context).start(stopping.signal);
  return {
    ...cluster,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
      await cluster[Symbol.asyncDispose]();
    },
  };
}

interface NodeOptions {
  readonly labels?: Record<string, string>;
  readonly allocatable?: Record<string, string>;
  readonly spec?: object;
}

async function makeNode(cluster: Cluster, name: string, options: NodeOptions = {}) {
  const { labels = {}, spec = {}, allocatable } = options;
  const status = { allocatable: allocatable ?? { cpu: "2", memory: "4Gi", pods: "110" } };
  const metadata = { name, labels };
  await cluster.create({ apiVersion: "v1", kind: "Node", metadata, spec, status }, nodes);
  // Its creation leaves it tainted until it is ready.
  const patch = { spec: { taints: (spec as { taints?: object }).taints ?? null } };
  await cluster.client.resource(nodes).patch({ name }, { type: "merge", patch });
}

function podOf(name: string, spec: PodSpec = {}): KubeObject {
  const containers = [{ name: "main", image: "busybox" }];
  const whole = { containers, ...spec };
  return { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "ns" }, spec: whole };
}

function asking(cpu: string): PodSpec {
  return { containers: [{ name: "main", image: "busybox", resources: { requests: { cpu } } }] };
}

const podAt = async (cluster: Cluster, name: string) =>
  (await find(cluster, builtInResources.pods, { namespace: "ns", name })) as Pod | undefined;

function placed(cluster: Cluster, name: string): Promise<string> {
  const ask = async () => (await podAt(cluster, name))?.spec?.nodeName;
  return waitFor(ask, { what: `${name} to be placed` });
}

function refused(cluster: Cluster, name: string, words: string) {
  const ask = async () => {
    const pod = await podAt(cluster, name);
    const condition = pod?.status?.conditions?.find(({ type }) => type === "PodScheduled");
    return condition?.message?.includes(words) ? condition : undefined;
  };
  return waitFor(ask, { what: `${name} to be refused with ${words}` });
}

test("a pod waits for a node and is then bound to it, with an event", async () => {
  await using cluster = await startScheduling();
  await cluster.create(podOf("p"), builtInResources.pods);
  const condition = await refused(cluster, "p", "no nodes available to schedule pods");
  assert.deepEqual([condition.status, condition.reason], ["False", "Unschedulable"]);
  await makeNode(cluster, "n");
  assert.equal(await placed(cluster, "p"), "n");
  const pod = await podAt(cluster, "p");
  const [scheduled] = pod?.status?.conditions ?? [];
  assert.deepEqual([scheduled?.status, scheduled?.reason], ["True", undefined]);
  const told = await waitFor(
    () => {
      const { entries } = cluster.store.list("events", { namespace: "ns" });
      const notes = entries.map(({ object }) => (object as { message?: string }).message ?? "");
      return notes.includes("Successfully assigned ns/p to n") ? notes : undefined;
    },
    { what: "the events" },
  );
  assert.ok(told.includes("no nodes available to schedule pods"));
});

test("a pod that fits nowhere is told why, and is placed when room is made", async () => {
  await using cluster = await startScheduling();
  await makeNode(cluster, "n", { allocatable: { cpu: "1", memory: "1Gi", pods: "10" } });
  await cluster.create(podOf("first", asking("800m")), builtInResources.pods);
  await placed(cluster, "first");
  await cluster.create(podOf("second", asking("500m")), builtInResources.pods);
  const { message } = await refused(cluster, "second", "Insufficient cpu");
  assert.equal(
    message,
    "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
  );
  const patch = { status: { phase: "Succeeded" } };
  const key = { namespace: "ns", name: "first" };
  await cluster.client.resource(builtInResources.pods).status.patch(key, { type: "merge", patch });
  assert.equal(await placed(cluster, "second"), "n");
});

test("the reasons of several nodes are counted", async () => {
  await using cluster = await startScheduling();
  await makeNode(cluster, "a", { spec: { unschedulable: true } });
  await makeNode(cluster, "b", { spec: { taints: [{ key: "k", effect: "NoSchedule" }] } });
  await makeNode(cluster, "c", { spec: { taints: [{ key: "k", effect: "NoExecute" }] } });
  await makeNode(cluster, "d");
  await cluster.create(podOf("p", { nodeSelector: { disk: "fast" } }), builtInResources.pods);
  const { message } = await refused(cluster, "p", "0/4");
  assert.equal(
    message,
    "0/4 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) were unschedulable, 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.",
  );
  const labels = { metadata: { labels: { disk: "fast" } } };
  await cluster.client.resource(nodes).patch({ name: "d" }, { type: "merge", patch: labels });
  assert.equal(await placed(cluster, "p"), "d");
});

test("taints are tolerated by those who say so", async () => {
  await using cluster = await startScheduling();
  await makeNode(cluster, "n", {
    spec: { taints: [{ key: "k", value: "v", effect: "NoSchedule" }] },
  });
  const tolerations = [{ key: "k", operator: "Equal", value: "v", effect: "NoSchedule" }];
  await cluster.create(podOf("p", { tolerations }), builtInResources.pods);
  assert.equal(await placed(cluster, "p"), "n");
});

test("a pod goes where its required affinity says, by labels or by the node's name", async () => {
  await using cluster = await startScheduling();
  await makeNode(cluster, "a", { labels: { size: "3" } });
  await makeNode(cluster, "b", { labels: { size: "7" } });
  const requiring = (term: object): PodSpec => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
      },
    },
  });
  const byLabel = { matchExpressions: [{ key: "size", operator: "Gt", values: ["5"] }] };
  const byName = { matchFields: [{ key: "metadata.name", operator: "In", values: ["a"] }] };
  await cluster.create(podOf("large", requiring(byLabel)), builtInResources.pods);
  await cluster.create(podOf("named", requiring(byName)), builtInResources.pods);
  assert.equal(await placed(cluster, "large"), "b");
  assert.equal(await placed(cluster, "named"), "a");
});

test("a node takes no more pods than it says, those of the highest priority first", async () => {
  await using cluster = await startScheduling();
  const high = {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "high" },
    value: 1000,
  };
  await cluster.create(high as KubeObject, builtInResources.priorityClasses);
  await cluster.create(podOf("low"), builtInResources.pods);
  await cluster.create(podOf("high", { priorityClassName: "high" }), builtInResources.pods);
  await refused(cluster, "high", "no nodes available");
  await makeNode(cluster, "n", { allocatable: { cpu: "1", memory: "1Gi", pods: "1" } });
  assert.equal(await placed(cluster, "high"), "n");
  await refused(cluster, "low", "1 Too many pods");
});

test("gated pods, and those of other schedulers, are left alone", async () => {
  await using cluster = await startScheduling();
  await cluster.create(podOf("gated", { schedulingGates: [{ name: "g" }] }), builtInResources.pods);
  await cluster.create(podOf("foreign", { schedulerName: "mine" }), builtInResources.pods);
  await makeNode(cluster, "n");
  await cluster.create(podOf("other"), builtInResources.pods);
  await placed(cluster, "other");
  assert.equal((await podAt(cluster, "gated"))?.spec?.nodeName, undefined);
  assert.equal((await podAt(cluster, "foreign"))?.spec?.nodeName, undefined);
  const patch = { spec: { schedulingGates: null } };
  const key = { namespace: "ns", name: "gated" };
  await cluster.client.resource(builtInResources.pods).patch(key, { type: "merge", patch });
  assert.equal(await placed(cluster, "gated"), "n");
});

test("pods that may not be together are not", async () => {
  await using cluster = await startScheduling();
  await makeNode(cluster, "a", { labels: { "kubernetes.io/hostname": "a" } });
  const term = {
    topologyKey: "kubernetes.io/hostname",
    labelSelector: { matchLabels: { app: "alone" } },
  };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const lonely = (name: string) => {
    const pod = podOf(name, { affinity: { podAntiAffinity: required } });
    return { ...pod, metadata: { ...pod.metadata, labels: { app: "alone" } } };
  };
  await cluster.create(lonely("one"), builtInResources.pods);
  await placed(cluster, "one");
  await cluster.create(lonely("two"), builtInResources.pods);
  await refused(cluster, "two", "1 node(s) didn't match pod anti-affinity rules");
  await makeNode(cluster, "b", { labels: { "kubernetes.io/hostname": "b" } });
  assert.equal(await placed(cluster, "two"), "b");
});

test("a pod waits for its claims", async () => {
  await using cluster = await startScheduling();
  await makeNode(cluster, "n");
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "c" } }];
  await cluster.create(podOf("p", { volumes }), builtInResources.pods);
  await refused(cluster, "p", '0/1 nodes are available: persistentvolumeclaim "c" not found.');
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "c", namespace: "ns" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  await cluster.create(claim, builtInResources.persistentVolumeClaims);
  await refused(cluster, "p", "pod has unbound immediate PersistentVolumeClaims");
  const annotations = { "pv.kubernetes.io/bind-completed": "yes" };
  const patch = { metadata: { annotations }, spec: { volumeName: "v" } };
  const key = { namespace: "ns", name: "c" };
  const claims = cluster.client.resource(builtInResources.persistentVolumeClaims);
  await claims.patch(key, { type: "merge", patch });
  assert.equal(await placed(cluster, "p"), "n");
});
