import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { objectOf, withAnnotations } from "@rookery/testing";
import { clusterOwner, isOwnedBy, isPaused, type OwnerCluster, refersTo } from "./owners.ts";

const cluster: OwnerCluster = { ...objectOf("cluster.x-k8s.io/v1beta2", "Cluster", "c"), spec: {} };
const object = objectOf("x/v1", "Y", "y");

test("a Cluster owns in whatever version it is named", () => {
  const owner = { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", name: "c", uid: "1" };
  const other = { ...owner, apiVersion: "example.dev/v1" };
  assert.equal(clusterOwner({ ownerReferences: [other, owner] }), owner);
  assert.equal(clusterOwner({ ownerReferences: [other] }), undefined);
});

describe("an owner counts", () => {
  const group = "controlplane.cluster.x-k8s.io";
  const kind = { group, kind: "NestedControlPlane" };
  const reference = { apiGroup: group, kind: "NestedControlPlane", name: "y" };
  const named = (changes: object = {}): OwnerCluster => ({
    ...cluster,
    metadata: { ...cluster.metadata, uid: "1" },
    spec: { controlPlaneRef: reference, ...changes },
  });
  const owned = (uid: string) => ({
    ...object,
    metadata: {
      ...object.metadata,
      ownerReferences: [
        { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: "c", uid },
      ],
    },
  });
  test("where it names the object in turn", () => assert.ok(isOwnedBy(owned("1"), named(), kind)));
  const forged: Record<string, boolean> = {
    "that was another of its name": isOwnedBy(owned("2"), named(), kind),
    "that names nothing": isOwnedBy(owned("1"), named({ controlPlaneRef: undefined }), kind),
    "that names another object": isOwnedBy(
      owned("1"),
      named({ controlPlaneRef: { ...reference, name: "z" } }),
      kind,
    ),
    "that names one of another provider": isOwnedBy(
      owned("1"),
      named({ controlPlaneRef: { ...reference, kind: "KubeadmControlPlane" } }),
      kind,
    ),
  };
  for (const [name, counts] of Object.entries(forged)) {
    test(`never where it is one ${name}`, () => assert.equal(counts, false));
  }
});

describe("nothing is done", () => {
  const table = {
    "while the Cluster is paused": [{ ...cluster, spec: { paused: true } }, object],
    "while the object is paused": [
      cluster,
      withAnnotations({ "cluster.x-k8s.io/paused": "" })(object),
    ],
    "to what was moved elsewhere": [
      undefined,
      withAnnotations({ "clusterctl.cluster.x-k8s.io/delete-for-move": "" })(object),
    ],
  } as const;
  for (const [name, [owner, target]] of Object.entries(table)) {
    test(name, () => assert.equal(isPaused(owner, target), true));
  }
  test("else everything is", () => assert.equal(isPaused(cluster, object), false));
});

test("a reference is read in the words of both contracts", () => {
  const kind = { group: "g.dev", kind: "K" };
  assert.ok(refersTo({ apiGroup: "g.dev", kind: "K", name: "n" }, kind));
  assert.ok(refersTo({ apiVersion: "g.dev/v1", kind: "K", name: "n" }, kind));
  assert.ok(!refersTo({ apiGroup: "g.dev", kind: "K" }, kind));
  assert.ok(!refersTo({ apiGroup: "h.dev", kind: "K", name: "n" }, kind));
  assert.ok(!refersTo(undefined, kind));
});
