import assert from "node:assert/strict";
import { test } from "node:test";
import type { NestedCluster } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import { referenceFor } from "./policies.ts";

const apiVersion = "controlplane.cluster.x-k8s.io/v1alpha4";
const reference = { apiVersion, kind: "NestedControlPlane", name: "cp" };
const nested: NestedCluster = {
  apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha4",
  kind: "NestedCluster",
  metadata: { namespace: "team", name: "n" },
  spec: { controlPlaneRef: { ...reference, uid: "1" } },
};
const owner = (version: string, controlPlaneRef?: object): OwnerCluster => ({
  apiVersion: `cluster.x-k8s.io/${version}`,
  kind: "Cluster",
  metadata: { namespace: "team", name: "c" },
  spec: { ...(controlPlaneRef && { controlPlaneRef }) },
});

test("a Cluster is given the control plane in the words of its own contract", () => {
  const { kind, name } = reference;
  const apiGroup = "controlplane.cluster.x-k8s.io";
  assert.deepEqual(referenceFor(nested, owner("v1beta2")), { apiGroup, kind, name });
  assert.deepEqual(referenceFor(nested, owner("v1beta1")), { ...reference, namespace: "team" });
});

test("a Cluster that has a control plane keeps it", () => {
  assert.equal(referenceFor(nested, owner("v1beta2", { name: "other" })), undefined);
});

test("a Cluster is given a NestedControlPlane and nothing else that somebody names", () => {
  const spec = { controlPlaneRef: { ...reference, kind: "KubeadmControlPlane" } };
  assert.equal(referenceFor({ ...nested, spec }, owner("v1beta2")), undefined);
});

test("who names no control plane gives none", () => {
  assert.equal(referenceFor({ ...nested, spec: {} }, owner("v1beta2")), undefined);
});
