import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ObjectMeta } from "@rookery/kube";
import { moreThanStatusChanged } from "./predicates.ts";

describe("an update of an object", () => {
  const before: ObjectMeta = { name: "blue", generation: 1, resourceVersion: "1" };
  const rows: Record<string, [after: ObjectMeta, expected: boolean]> = {
    "does not matter where only the status is another": [
      { ...before, resourceVersion: "2" },
      false,
    ],
    "matters where the spec is another": [{ ...before, resourceVersion: "2", generation: 2 }, true],
    "matters where a finalizer was added": [
      { ...before, resourceVersion: "2", finalizers: ["a"] },
      true,
    ],
    "matters where it is paused": [
      { ...before, resourceVersion: "2", annotations: { "cluster.x-k8s.io/paused": "" } },
      true,
    ],
    "matters in a resync": [before, true],
  };
  for (const [name, [after, expected]] of Object.entries(rows)) {
    it(name, () => {
      const objects = { objectOld: { metadata: before }, objectNew: { metadata: after } };
      assert.equal(moreThanStatusChanged({ type: "update", ...objects }), expected);
    });
  }

  it("is not the only event", () => {
    assert.equal(
      moreThanStatusChanged({
        type: "generic",
        object: { metadata: before },
      }),
      true,
    );
  });
});
