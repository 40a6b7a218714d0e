import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Conditioned } from "@rookery/kube";
import { objectOf, withAnnotations } from "@rookery/testing";
import {
  clusterApiOwner,
  isInfrastructureProvisioned,
  isOwnedAndNamedBy,
  type OwnerCluster,
  readOwner,
} from "./owners.ts";
import { isPaused, pausedStatement, whenPaused } from "./paused.ts";
import { referredKeys, refersTo } from "./references.ts";

const cluster: OwnerCluster = {
  ...objectOf("cluster.x-k8s.io/v1beta2", "Cluster", "c"),
  spec: {},
  status: {},
};
const object = objectOf("x/v1", "Y", "y");

test("a Cluster owns in whatever version it is named", () => {
  const owner = { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", name: "c", uid: "1" };
  const other = { ...owner, apiVersion: "example.dev/v1" };
  assert.equal(clusterApiOwner({ ownerReferences: [other, owner] }, "Cluster"), owner);
  assert.equal(clusterApiOwner({ ownerReferences: [other] }, "Cluster"), undefined);
});

test("the owner is read in the namespace of the object, where it has one", async () => {
  const read = async (key: object) => key;
  const owner = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Machine", name: "m", uid: "1" };
  const owned = { metadata: { namespace: "ns", name: "y", ownerReferences: [owner] } };
  assert.deepEqual(await readOwner(owned, "Machine", read), { namespace: "ns", name: "m" });
  assert.equal(await readOwner(owned, "Cluster", read), undefined);
});

test("infrastructure is provisioned in the words of either contract", () => {
  const of = (status: object) => isInfrastructureProvisioned({ ...cluster, status });
  assert.ok(of({ initialization: { infrastructureProvisioned: true } }));
  assert.ok(of({ infrastructureReady: true }));
  assert.ok(!of({}));
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
  test("where it names the object in turn", () =>
    assert.ok(isOwnedAndNamedBy(owned("1"), named(), kind)));
  const forged: Record<string, boolean> = {
    "that was another of its name": isOwnedAndNamedBy(owned("2"), named(), kind),
    "that names nothing": isOwnedAndNamedBy(
      owned("1"),
      named({ controlPlaneRef: undefined }),
      kind,
    ),
    "that names another object": isOwnedAndNamedBy(
      owned("1"),
      named({ controlPlaneRef: { ...reference, name: "z" } }),
      kind,
    ),
    "that names one of another provider": isOwnedAndNamedBy(
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

  test("and the object says that it is paused", () => {
    const clock = () => new Date(0);
    const conditioned: Conditioned = { metadata: {} };
    const said = whenPaused(conditioned, { spec: { paused: true } }, clock);
    assert.equal(said?.status?.conditions?.[0]?.type, "Paused");
    assert.equal(whenPaused(conditioned, cluster, clock), undefined);
  });

  test("by the core provider, which names the reasons and ignores a move", () => {
    const marked = withAnnotations({ "cluster.x-k8s.io/paused": "" })(object);
    const { status, message } = pausedStatement({ spec: { paused: true } }, marked);
    assert.equal(status, "True");
    assert.equal(
      message,
      "Cluster spec.paused is set to true, Y has the cluster.x-k8s.io/paused annotation",
    );
    const moved = withAnnotations({ "clusterctl.cluster.x-k8s.io/delete-for-move": "" })(object);
    assert.equal(pausedStatement(undefined, moved).status, "False");
  });
});

test("a reference is read in the words of both contracts", () => {
  const kind = { group: "g.dev", kind: "K" };
  assert.ok(refersTo({ apiGroup: "g.dev", kind: "K", name: "n" }, kind));
  assert.ok(refersTo({ apiVersion: "g.dev/v1", kind: "K", name: "n" }, kind));
  assert.ok(!refersTo({ apiGroup: "g.dev", kind: "K" }, kind));
  assert.ok(!refersTo({ apiGroup: "h.dev", kind: "K", name: "n" }, kind));
  assert.ok(!refersTo(undefined, kind));
  const named = { apiGroup: "g.dev", kind: "K", name: "n" };
  const beside = { metadata: { namespace: "ns" } };
  assert.deepEqual(referredKeys(beside, named, kind), [{ namespace: "ns", name: "n" }]);
  assert.deepEqual(referredKeys(beside, { ...named, kind: "L" }, kind), []);
});
