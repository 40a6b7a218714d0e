import assert from "node:assert/strict";
import { test } from "node:test";
import { storageVersionOf } from "../storage-versions/definition.ts";
import { contractOfLabels } from "./find-contract.ts";

const cases: Readonly<Record<string, readonly [Readonly<Record<string, string>>[], string?]>> = {
  "the one that all have": [
    [{ "cluster.x-k8s.io/v1beta1": "v1beta1" }, { "cluster.x-k8s.io/v1beta1": "v1beta2" }],
    "v1beta1",
  ],
  "the newest of several": [
    [{ "cluster.x-k8s.io/v1alpha4": "v1alpha4", "cluster.x-k8s.io/v1beta2": "v1beta2" }],
    "v1beta2",
  ],
  "a beta before an alpha with a greater number": [
    [{ "cluster.x-k8s.io/v1alpha9": "x", "cluster.x-k8s.io/v1beta1": "x" }],
    "v1beta1",
  ],
  "one that is stable before all others": [
    [{ "cluster.x-k8s.io/v1": "v1", "cluster.x-k8s.io/v1beta10": "x" }],
    "v1",
  ],
  "none where labels are about something else": [[{ "cluster.x-k8s.io/provider": "kubeadm" }, {}]],
};

for (const [sentence, [labels, contract]] of Object.entries(cases)) {
  test(`the contract of CRDs is ${sentence}`, () => {
    assert.equal(contractOfLabels(labels.map((one) => ({ labels: one }))), contract);
  });
}

test("the contract of a core is the version in which Clusters are stored", () => {
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "clusters.cluster.x-k8s.io" },
    spec: {
      group: "cluster.x-k8s.io",
      names: { kind: "Cluster", plural: "clusters" },
      versions: [
        { name: "v1beta1", storage: false },
        { name: "v1beta2", storage: true },
      ],
    },
  };
  assert.equal(storageVersionOf(crd), "v1beta2");
});
