import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { moreThanConditionsChanged } from "./predicates.ts";

const before = {
  apiVersion: "v1",
  kind: "NestedEtcd",
  metadata: { name: "a", generation: 1, resourceVersion: "1" },
  status: { ready: false, conditions: [{ type: "Ready", reason: "WaitingForPods" }] },
} as KubeObject;
const metadata = { ...before.metadata, resourceVersion: "2" };

const updates: Readonly<Record<string, { after: KubeObject; passes: boolean }>> = {
  "a condition with another reason": {
    after: { ...before, metadata, status: { ready: false, conditions: [] } } as KubeObject,
    passes: false,
  },
  "another status": {
    after: { ...before, metadata, status: { ...(before.status as object), ready: true } },
    passes: true,
  },
  "another spec": { after: { ...before, metadata: { ...metadata, generation: 2 } }, passes: true },
  "an owner": {
    after: { ...before, metadata: { ...metadata, ownerReferences: [] } },
    passes: true,
  },
  "a resync": { after: before, passes: true },
};

describe("what others look at in a component", () => {
  for (const [what, { after, passes }] of Object.entries(updates)) {
    it(`${what} ${passes ? "passes" : "is left out"}`, () => {
      const event = { type: "update", objectOld: before, objectNew: after } as const;
      assert.equal(moreThanConditionsChanged(event), passes);
    });
  }

  it("what is no update passes", () => {
    assert.ok(moreThanConditionsChanged({ type: "generic", object: before }));
  });
});
