import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, isAvailable, unprobedContainersOf, type Workload } from "./health.ts";

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
