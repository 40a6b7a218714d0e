import assert from "node:assert/strict";
import { test } from "node:test";
import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import type { Cluster } from "../../../test/cluster.ts";
import { appears, find, namespaceOf, startScene } from "../../../test/scene.ts";

const ns = "ns";
const budgets = builtInResources.podDisruptionBudgets;
const replicaSets = builtInResources.replicaSets;
const labels = { app: "a" };

async function startBudgets() {
  const scene = await startScene();
  await scene.create(namespaceOf(ns), builtInResources.namespaces);
  await appears(scene, builtInResources.serviceAccounts, { namespace: ns, name: "default" });
  return scene;
}

async function makeReplicaSet(scene: Cluster, replicas: number): Promise<KubeObject> {
  const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "x" }] } };
  const spec = { replicas, selector: { matchLabels: labels }, template };
  const metadata = { name: "rs", namespace: ns };
  return scene.create({ apiVersion: "apps/v1", kind: "ReplicaSet", metadata, spec }, replicaSets);
}

async function makePod(scene: Cluster, name: string, owner: KubeObject): Promise<void> {
  const { name: ownerName = "", uid = "" } = owner.metadata;
  const reference = { apiVersion: "apps/v1", kind: "ReplicaSet", name: ownerName, uid };
  const ownerReferences = [{ ...reference, controller: true }];
  const metadata = { name, namespace: ns, labels, ownerReferences };
  const spec = { nodeName: "n", containers: [{ name: "main", image: "x" }] };
  await scene.create({ apiVersion: "v1", kind: "Pod", metadata, spec }, builtInResources.pods);
  const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
  const pods = scene.client.resource(builtInResources.pods);
  await pods.status.patch({ namespace: ns, name }, { type: "merge", patch: { status } });
}

async function makeBudget(scene: Cluster, spec: PodDisruptionBudgetSpec): Promise<void> {
  const whole = { selector: { matchLabels: labels }, ...spec };
  const metadata = { name: "b", namespace: ns };
  const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec: whole };
  await scene.create(budget, budgets);
}

/** Expected, desired, healthy and allowed. */
function counts(scene: Cluster, ...wanted: readonly number[]) {
  const ask = async () => {
    const budget = (await find(scene, budgets, {
      namespace: ns,
      name: "b",
    })) as PodDisruptionBudget;
    const { expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed } =
      budget.status ?? {};
    const found = [expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed];
    return found.join() === wanted.join() ? budget : undefined;
  };
  return waitFor(ask, { what: `the budget to count ${wanted}` });
}

test("a percentage is one of what those who control the pods want", async () => {
  await using scene = await startBudgets();
  const owner = await makeReplicaSet(scene, 4);
  await makeBudget(scene, { maxUnavailable: "30%" });
  for (const name of ["a", "b", "c"]) await makePod(scene, name, owner);
  const budget = await counts(scene, 4, 2, 3, 1);
  assert.equal(budget.status?.conditions?.[0]?.reason, "SufficientPods");
  const patch = { spec: { replicas: 8 } };
  const key = { namespace: ns, name: "rs" };
  await scene.client.resource(replicaSets).patch(key, { type: "merge", patch });
  await counts(scene, 8, 5, 3, 0);
});

test("pods that are evicted no longer count, and room comes back with others", async () => {
  await using scene = await startBudgets();
  const owner = await makeReplicaSet(scene, 2);
  await makeBudget(scene, { minAvailable: 1 });
  await makePod(scene, "a", owner);
  await makePod(scene, "b", owner);
  await counts(scene, 2, 1, 2, 1);
  const eviction = scene.client.resource(builtInResources.pods).subresource("eviction");
  const evict = (name: string) => {
    const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name, namespace: ns } };
    return eviction.create({ namespace: ns, name }, body);
  };
  await evict("a");
  await counts(scene, 2, 1, 1, 0);
  await assert.rejects(evict("b"), /disruption budget/);
  await makePod(scene, "c", owner);
  await counts(scene, 3, 1, 2, 1);
});
