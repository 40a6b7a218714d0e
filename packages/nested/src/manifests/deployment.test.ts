import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deploymentRollOut } from "./deployment.ts";
import type { Deployment } from "./kinds.ts";

const late = {
  type: "Progressing",
  status: "False",
  reason: "ProgressDeadlineExceeded",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
} as const;
const all = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };

describe("a Deployment", () => {
  const rows: Record<string, [status: Deployment["status"], replicas: number, expected: string]> = {
    "is complete when all its pods are new and available": [
      { ...all, observedGeneration: 2 },
      2,
      "complete",
    ],
    "is not while its controller has not seen it": [
      { ...all, observedGeneration: 1 },
      2,
      "progressing",
    ],
    "is not while an old pod is left": [
      { ...all, replicas: 3, observedGeneration: 2 },
      2,
      "progressing",
    ],
    "is stalled past its deadline": [
      { observedGeneration: 2, replicas: 1, conditions: [late] },
      2,
      "stalled",
    ],
    "is not by what was said of a former one": [
      { observedGeneration: 1, replicas: 1, conditions: [late] },
      2,
      "progressing",
    ],
    "never becomes good without pods": [{ observedGeneration: 2 }, 0, "progressing"],
  };
  for (const [name, [status, replicas, expected]] of Object.entries(rows)) {
    it(name, () => {
      const deployment = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { generation: 2 },
        spec: { replicas },
        status,
      } as Deployment;
      assert.equal(deploymentRollOut(deployment), expected);
    });
  }
});
