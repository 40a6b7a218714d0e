import assert from "node:assert/strict";
import { test } from "node:test";
import { compareVersions, contractVersionOf } from "./contract-version.ts";

const rows: Record<string, readonly [Record<string, string>, object | undefined]> = {
  "the newest contract counts": [
    { "cluster.x-k8s.io/v1beta1": "v1beta1", "cluster.x-k8s.io/v1beta2": "v1beta2" },
    { contract: "v1beta2", version: "v1beta2" },
  ],
  "the newest version of a contract counts": [
    { "cluster.x-k8s.io/v1beta1": "v1beta1_v1_v1alpha4" },
    { contract: "v1beta1", version: "v1" },
  ],
  "an empty label is none": [
    { "cluster.x-k8s.io/v1beta2": "", "cluster.x-k8s.io/v1beta1": "v1alpha4" },
    { contract: "v1beta1", version: "v1alpha4" },
  ],
  "a kind without labels has no contract": [{}, undefined],
};

for (const [name, [labels, expected]] of Object.entries(rows)) {
  test(name, () => assert.deepEqual(contractVersionOf({ labels }), expected));
}

test("versions are ordered as Kubernetes orders them", () => {
  const ordered = ["nothing", "v1alpha1", "v2alpha1", "v1beta1", "v1beta2", "v1", "v2", "v10"];
  assert.deepEqual(ordered.toReversed().sort(compareVersions), ordered);
});
