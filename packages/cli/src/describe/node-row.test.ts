import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { leadingCondition } from "./node-row.ts";
import { objectNode, type TreeObject } from "./tree-node.ts";

const shower = { paint: (_: unknown, text: string) => text, now: new Date() };
const available = {
  type: "Available",
  status: "False",
  reason: "NotAvailable",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};

function cluster(spec: object): TreeObject {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { namespace: "team", name: "a" },
    spec,
    status: { initialization: { infrastructureProvisioned: true }, conditions: [available] },
  } as TreeObject;
}

describe("the condition that speaks for a cluster", () => {
  const rows: Record<string, [spec: object, reason: string]> = {
    "has the reason NoMachines where nobody asked for machines": [{}, "NoMachines"],
    "keeps its reason where a control plane is to come": [
      { controlPlaneRef: { kind: "X", name: "a" } },
      "NotAvailable",
    ],
  };
  for (const [sentence, [spec, reason]] of Object.entries(rows)) {
    it(sentence, () => {
      assert.equal(leadingCondition(objectNode(cluster(spec), "core"), shower)?.reason, reason);
    });
  }
});
