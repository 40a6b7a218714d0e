import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { clusterOf, referredKinds } from "./cluster-search.ts";

const metadata = { namespace: "team", name: "one" };
const oldRef = (group: string, kind: string) => ({
  apiVersion: `${group}/v1beta1`,
  kind,
  name: "x",
});
const newRef = (apiGroup: string, kind: string) => ({ apiGroup, kind, name: "x" });

const rows: Readonly<Record<string, readonly [spec: object, kinds: readonly string[]]>> = {
  "a v1beta1 Cluster refers by version": [
    {
      infrastructureRef: oldRef("infrastructure.cluster.x-k8s.io", "AWSCluster"),
      controlPlaneRef: oldRef("controlplane.cluster.x-k8s.io", "KubeadmControlPlane"),
    },
    [
      "AWSCluster.infrastructure.cluster.x-k8s.io",
      "KubeadmControlPlane.controlplane.cluster.x-k8s.io",
    ],
  ],
  "a v1beta2 Cluster refers by group": [
    { infrastructureRef: newRef("infrastructure.cluster.x-k8s.io", "AWSCluster") },
    ["AWSCluster.infrastructure.cluster.x-k8s.io"],
  ],
  "a Machine refers to what it starts with": [
    { bootstrap: { configRef: newRef("bootstrap.cluster.x-k8s.io", "KubeadmConfig") } },
    ["KubeadmConfig.bootstrap.cluster.x-k8s.io"],
  ],
  "a MachineDeployment refers by its template": [
    {
      template: {
        spec: {
          infrastructureRef: oldRef("infrastructure.cluster.x-k8s.io", "AWSMachineTemplate"),
          bootstrap: { configRef: oldRef("bootstrap.cluster.x-k8s.io", "KubeadmConfigTemplate") },
        },
      },
    },
    [
      "AWSMachineTemplate.infrastructure.cluster.x-k8s.io",
      "KubeadmConfigTemplate.bootstrap.cluster.x-k8s.io",
    ],
  ],
  "a claim refers to its pool": [
    { poolRef: newRef("ipam.cluster.x-k8s.io", "InClusterIPPool") },
    ["InClusterIPPool.ipam.cluster.x-k8s.io"],
  ],
  "a Machine with a Secret of its own refers to nobody": [
    { bootstrap: { dataSecretName: "x" } },
    [],
  ],
  "an empty reference is none": [{ infrastructureRef: {} }, []],
};

describe("references of Cluster API", () => {
  for (const [sentence, [spec, kinds]] of Object.entries(rows)) {
    it(sentence, () => {
      const object: KubeObject = {
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "Any",
        metadata,
        spec,
      };
      assert.deepEqual(referredKinds(object), kinds);
    });
  }

  it("an object without a spec refers to nobody", () => {
    assert.deepEqual(referredKinds({ apiVersion: "v1", kind: "Any", metadata }), []);
  });
});

describe("the cluster of an object", () => {
  const apiVersion = "cluster.x-k8s.io/v1beta2";
  it("is a Cluster itself", () => {
    assert.equal(clusterOf({ apiVersion, kind: "Cluster", metadata }), "Cluster team/one");
  });
  it("is in its spec", () => {
    const machine = { apiVersion, kind: "Machine", metadata, spec: { clusterName: "prod" } };
    assert.equal(clusterOf(machine), "Cluster team/prod");
  });
  it("is in its label", () => {
    const labels = { "cluster.x-k8s.io/cluster-name": "prod" };
    const labelled = { apiVersion, kind: "AWSMachine", metadata: { ...metadata, labels } };
    assert.equal(clusterOf(labelled), "Cluster team/prod");
  });
  it("is the object where nobody says", () => {
    assert.equal(
      clusterOf({ apiVersion, kind: "IPAddressClaim", metadata }),
      "IPAddressClaim team/one",
    );
  });
});
