import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "@rookery/kube";
import type { Deployment } from "../../components/deployment.ts";
import {
  describe,
  hasStalled,
  isAvailable,
  unprobedContainersOf,
  type Workload,
} from "./health.ts";

const deployment = (
  replicas: number,
  status: Deployment["status"],
  generation = 2,
): Deployment => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "manager", generation },
  spec: { replicas },
  ...(status && { status }),
});
const well = { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 };

const daemonSet = (counts: readonly [desired: number, updated: number, available: number]) => {
  const [desiredNumberScheduled, updatedNumberScheduled, numberAvailable] = counts;
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent", generation: 2 },
    status: {
      observedGeneration: 2,
      desiredNumberScheduled,
      updatedNumberScheduled,
      numberAvailable,
    },
  } satisfies Workload;
};
const statefulSet = (availableReplicas: number): Workload => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "store", generation: 1 },
  spec: { replicas: 2 },
  status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas },
});

const cases: Readonly<Record<string, readonly [Workload, boolean]>> = {
  "a Deployment: all pods are available": [deployment(2, well), true],
  "a Deployment: the newest spec was not seen yet": [
    deployment(2, { ...well, observedGeneration: 1 }),
    false,
  ],
  "a Deployment: an old pod is still there": [deployment(2, { ...well, replicas: 3 }), false],
  "a Deployment: a pod is not available": [deployment(2, { ...well, availableReplicas: 1 }), false],
  "a Deployment: there is no status yet": [deployment(2, undefined), false],
  "a DaemonSet has a pod on every node": [daemonSet([3, 3, 3]), true],
  "a DaemonSet has an old pod on some node": [daemonSet([3, 2, 3]), false],
  "a DaemonSet has a pod that is not available": [daemonSet([3, 3, 2]), false],
  "a StatefulSet has all its pods": [statefulSet(2), true],
  "a StatefulSet has a pod that is not available": [statefulSet(1), false],
};
for (const [name, [workload, expected]] of Object.entries(cases)) {
  test(`${name}: it is ${expected ? "" : "not "}available`, () => {
    assert.equal(isAvailable(workload), expected);
  });
}

test("what is missing is told in numbers", () => {
  assert.equal(describe(daemonSet([3, 3, 2])), "DaemonSet agent: 2 of 3 pods available");
  assert.equal(describe(statefulSet(1)), "StatefulSet store: 1 of 2 pods available");
});

test("containers that run on without a readiness probe are named", () => {
  const readinessProbe = { httpGet: { path: "/readyz" } };
  const found: Workload = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "manager" },
    spec: {
      template: {
        spec: {
          initContainers: [
            { name: "prepare" },
            { name: "proxy", restartPolicy: "Always" },
            { name: "probed-proxy", restartPolicy: "Always", readinessProbe },
          ],
          containers: [{ name: "manager" }, { name: "probed", readinessProbe }],
        },
      },
    },
  };
  assert.deepEqual([...unprobedContainersOf(found)], ["proxy", "manager"]);
});

test("it has stalled when Kubernetes says so of the newest spec", () => {
  const conditions: readonly Condition[] = [
    {
      type: "Progressing",
      status: "False",
      lastTransitionTime: "2026-01-01T00:00:00Z",
      reason: "ProgressDeadlineExceeded",
      message: "",
    },
  ];
  assert.equal(hasStalled(deployment(1, { observedGeneration: 2, conditions })), true);
  assert.equal(hasStalled(deployment(1, { observedGeneration: 1, conditions })), false);
  assert.equal(hasStalled(deployment(1, well)), false);
});
