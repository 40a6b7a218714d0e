import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { OwnerCluster, OwnerMachine } from "@rookery/cluster-api";
import { clusterWith, hosts, machineOn } from "../../test/objects.ts";
import { chooseHost, claimableCluster, isControlPlane, type Owners } from "./policies.ts";

describe("the host of a machine", () => {
  const cluster = clusterWith(hosts);

  it("is the first free host of its role", () => {
    const choose = (isControlPlane: boolean, ...used: string[]) =>
      chooseHost(
        cluster,
        used.map((host) => machineOn(host)),
        isControlPlane,
      );
    assert.equal((choose(false) as { name: string }).name, "rack-2");
    assert.equal((choose(false, "rack-2") as { name: string }).name, "rack-3");
    assert.equal((choose(true, "rack-2") as { name: string }).name, "rack-1");
  });

  it("is awaited when machines use all hosts of its role", () => {
    const finding = chooseHost(cluster, [machineOn("rack-1")], true);
    assert.deepEqual(finding, {
      status: "False",
      reason: "NoFreeHost",
      message:
        "machines use all 1 control plane hosts: add a host to spec.hosts of the HostCluster demo",
    });
  });
});

describe("a host is claimed", () => {
  const owner = { kind: "Cluster", apiVersion: "cluster.x-k8s.io/v1beta2", metadata: {} };
  const cluster: OwnerCluster = {
    ...owner,
    status: { initialization: { infrastructureProvisioned: true } },
  };
  const machine: OwnerMachine = { ...owner, spec: { bootstrap: { dataSecretName: "data" } } };
  const hostCluster = clusterWith(hosts);
  const whole: Owners = { machine, cluster, hostCluster };

  it("when the Cluster is provisioned and the bootstrap data exist", () => {
    assert.equal(claimableCluster(whole), hostCluster);
  });

  const waiting: Record<string, [Partial<Owners>, string]> = {
    "without a Cluster": [{ cluster: undefined }, "WaitingForCluster"],
    "without a HostCluster": [{ hostCluster: undefined }, "WaitingForCluster"],
    "before the Cluster is provisioned": [{ cluster: owner }, "WaitingForClusterInfrastructure"],
    "before the bootstrap data exist": [{ machine: owner }, "WaitingForBootstrapData"],
  };
  for (const [when, [change, reason]] of Object.entries(waiting)) {
    it(`not ${when}`, () => {
      const finding = claimableCluster({ ...whole, ...change });
      assert.equal("reason" in finding && finding.reason, reason);
    });
  }
});

it("a Machine belongs to the control plane by its label", () => {
  const owner = { kind: "Machine", apiVersion: "cluster.x-k8s.io/v1beta2" };
  const labels = { "cluster.x-k8s.io/control-plane": "" };
  assert.ok(isControlPlane({ ...owner, metadata: { labels } }));
  assert.ok(!isControlPlane({ ...owner, metadata: {} }));
});
