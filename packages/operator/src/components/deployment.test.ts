import assert from "node:assert/strict";
import { test } from "node:test";
import { type Deployment, isScaledDown } from "./deployment.ts";

const deployment = (replicas: number, status: Deployment["status"]): Deployment => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "manager", generation: 2 },
  spec: { replicas },
  ...(status && { status }),
});

test("it rests when it is asked to have no pods and has none", () => {
  assert.equal(isScaledDown(deployment(0, { observedGeneration: 2 })), true);
  assert.equal(isScaledDown(deployment(0, { observedGeneration: 2, replicas: 1 })), false);
  assert.equal(isScaledDown(deployment(0, { observedGeneration: 1 })), false);
  assert.equal(isScaledDown(deployment(1, { observedGeneration: 2 })), false);
});
