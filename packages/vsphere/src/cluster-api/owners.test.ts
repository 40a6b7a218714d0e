import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isPaused, type OwnerCluster } from "./owners.ts";

describe("nothing is done", () => {
  const owner = (paused?: boolean): OwnerCluster => ({
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: {},
    spec: { ...(paused !== undefined && { paused }) },
  });
  const moved = { "clusterctl.cluster.x-k8s.io/delete-for-move": "" };
  const table: Record<string, [OwnerCluster | undefined, Record<string, string>, boolean]> = {
    "for a cluster that is paused": [owner(true), {}, true],
    "for an object that is paused": [owner(), { "cluster.x-k8s.io/paused": "" }, true],
    "for what clusterctl has moved, though its Cluster is already gone": [undefined, moved, true],
    "only then": [owner(false), { other: "" }, false],
  };
  for (const [what, [cluster, annotations, expected]] of Object.entries(table)) {
    it(what, () => {
      const object = { apiVersion: "a/v1", kind: "A", metadata: { annotations } };
      assert.equal(isPaused(cluster, object), expected);
    });
  }
});
