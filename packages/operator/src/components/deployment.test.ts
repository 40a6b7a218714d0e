import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "@rookery/kube";
import { type Deployment, hasStalled, isAvailable, isScaledDown } from "./deployment.ts";

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

const cases: Readonly<Record<string, readonly [Deployment, boolean]>> = {
  "all pods are available": [deployment(2, well), true],
  "the newest spec was not seen yet": [deployment(2, { ...well, observedGeneration: 1 }), false],
  "an old pod is still there": [deployment(2, { ...well, replicas: 3 }), false],
  "a pod is not available": [deployment(2, { ...well, availableReplicas: 1 }), false],
  "there is no status yet": [deployment(2, undefined), false],
};
for (const [name, [found, expected]] of Object.entries(cases)) {
  test(name, () => assert.equal(isAvailable(found), expected));
}

test("it rests when it is asked to have no pods and has none", () => {
  assert.equal(isScaledDown(deployment(0, { observedGeneration: 2 })), true);
  assert.equal(isScaledDown(deployment(0, { observedGeneration: 2, replicas: 1 })), false);
  assert.equal(isScaledDown(deployment(0, { observedGeneration: 1 })), false);
  assert.equal(isScaledDown(deployment(1, { observedGeneration: 2 })), false);
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
