import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pod, PodDisruptionBudget } from "@rookery/api";
import type { KubeObject, StatusError } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { type Cluster, find, namespaceOf, startCluster } from "../../test/server/cluster.ts";

const budgets = builtInResources.podDisruptionBudgets;
const key = { namespace: "ns", name: "p" };

async function startPods() {
  const cluster = await startCluster();
  await cluster.create(namespaceOf("ns"), builtInResources.namespaces);
  const metadata = { name: "default", namespace: "ns" };
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata };
  await cluster.create(account, builtInResources.serviceAccounts);
  return cluster;
}

async function makePod(cluster: Cluster, status?: object): Promise<void> {
  const spec = { containers: [{ name: "main", image: "x" }] };
  const metadata = { ...key, labels: { app: "a" } };
  await cluster.create({ apiVersion: "v1", kind: "Pod", metadata, spec }, builtInResources.pods);
  if (status === undefined) return;
  const pods = cluster.client.resource(builtInResources.pods);
  await bind(cluster, { target: { name: "n" } });
  await pods.status.patch(key, { type: "merge", patch: { status } });
}

function bind(cluster: Cluster, more: object): Promise<KubeObject> {
  const body = { apiVersion: "v1", kind: "Binding", metadata: { name: "p" }, ...more };
  const binding = cluster.client.resource(builtInResources.pods).subresource("binding");
  return binding.create(key, body as KubeObject);
}

function evict(cluster: Cluster, more: object = {}): Promise<KubeObject> {
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: key, ...more };
  const eviction = cluster.client.resource(builtInResources.pods).subresource("eviction");
  return eviction.create(key, body as KubeObject);
}

const running = {
  phase: "Running",
  conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
};

async function makeBudget(cluster: Cluster, status: object): Promise<void> {
  const metadata = { name: "b", namespace: "ns" };
  const spec = { minAvailable: 1, selector: { matchLabels: { app: "a" } } };
  await cluster.create(
    { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec },
    budgets,
  );
  const patch = { status: { observedGeneration: 1, ...status } };
  await cluster.client.resource(budgets).status.patch(metadata, { type: "merge", patch });
}

const refusal = (message: RegExp) => (error: unknown) =>
  message.test((error as StatusError).message);

test("a binding gives a pod its node, once", async () => {
  await using cluster = await startPods();
  await makePod(cluster);
  const answer = await bind(cluster, { target: { kind: "Node", name: "n" } });
  assert.deepEqual(
    { ...answer },
    {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      code: 201,
    },
  );
  const pod = (await find(cluster, builtInResources.pods, key)) as Pod;
  assert.equal(pod.spec?.nodeName, "n");
  assert.equal(pod.metadata?.generation, 1);
  assert.deepEqual(
    pod.status?.conditions?.map(({ type, status }) => [type, status]),
    [["PodScheduled", "True"]],
  );
  const again = /on pods\/binding "p": pod p is already assigned to node "n"$/;
  await assert.rejects(bind(cluster, { target: { name: "m" } }), refusal(again));
});

test("a binding is refused where it is for another pod, or names no node", async () => {
  await using cluster = await startPods();
  await makePod(cluster);
  const uid = { metadata: { name: "p", uid: "other" }, target: { name: "n" } };
  await assert.rejects(
    bind(cluster, uid),
    refusal(/UID in precondition: other, UID in object meta/),
  );
  await assert.rejects(bind(cluster, {}), refusal(/^target.name: Required value$/));
  const other = { metadata: { name: "q" }, target: { name: "n" } };
  await assert.rejects(bind(cluster, other), refusal(/name in URL does not match/));
});

test("an eviction deletes a pod that no budget guards, with its reason", async () => {
  await using cluster = await startPods();
  await makePod(cluster, running);
  await evict(cluster);
  const pod = (await find(cluster, builtInResources.pods, key)) as Pod;
  assert.ok(pod.metadata?.deletionTimestamp);
  const target = pod.status?.conditions?.find(({ type }) => type === "DisruptionTarget");
  assert.equal(target?.reason, "EvictionByEvictionAPI");
});

test("a pod that does not run yet is evicted whatever its budget says", async () => {
  await using cluster = await startPods();
  await makePod(cluster);
  await makeBudget(cluster, { disruptionsAllowed: 0, desiredHealthy: 1 });
  await evict(cluster);
  assert.equal(await find(cluster, builtInResources.pods, key), undefined);
});

test("a budget without room refuses with 429, one with room has less afterwards", async () => {
  await using cluster = await startPods();
  await makePod(cluster, running);
  await makeBudget(cluster, { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 });
  await assert.rejects(evict(cluster), (error: StatusError) => {
    assert.equal(error.status.code, 429);
    assert.deepEqual(error.status.details?.causes, [
      {
        reason: "DisruptionBudget",
        message: "The disruption budget b needs 1 healthy pods and has 1 currently",
      },
    ]);
    return true;
  });
  const budgetKey = { namespace: "ns", name: "b" };
  const patch = { status: { disruptionsAllowed: 1, currentHealthy: 2 } };
  await cluster.client.resource(budgets).status.patch(budgetKey, { type: "merge", patch });
  await evict(cluster, { deleteOptions: { dryRun: ["All"] } });
  const untouched = (await find(cluster, builtInResources.pods, key)) as Pod;
  assert.equal(untouched.metadata?.deletionTimestamp, undefined);
  await evict(cluster);
  const budget = (await find(cluster, budgets, budgetKey)) as PodDisruptionBudget;
  assert.equal(budget.status?.disruptionsAllowed, 0);
  assert.deepEqual(Object.keys(budget.status?.disruptedPods ?? {}), ["p"]);
  assert.equal(budget.status?.conditions?.[0]?.reason, "InsufficientPods");
});

test("a budget that nobody has counted yet is waited for", async () => {
  await using cluster = await startPods();
  await makePod(cluster, running);
  await makeBudget(cluster, { observedGeneration: 0 });
  await assert.rejects(evict(cluster), (error: StatusError) => {
    assert.equal(error.status.details?.retryAfterSeconds, 10);
    return error.status.code === 429;
  });
});

test("a pod that is not ready may go where the rest is healthy", async () => {
  await using cluster = await startPods();
  await makePod(cluster, { phase: "Running" });
  await makeBudget(cluster, { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1 });
  await evict(cluster);
  const pod = (await find(cluster, builtInResources.pods, key)) as Pod;
  assert.ok(pod.metadata?.deletionTimestamp);
});
