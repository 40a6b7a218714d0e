import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereMachine } from "@rookery/api";
import { getCondition, ownerReferenceTo } from "@rookery/kube";
import { build, deletedAt, withAnnotations } from "@rookery/testing";
import {
  clock,
  controlPlane,
  finalizer,
  machine,
  owner,
  ownerCluster,
  uuid,
  vmOf,
  type World,
  worldOf,
} from "../../test/machine/machine-world.ts";

const ready = ({ status }: VSphereMachine) => getCondition(status?.conditions, "Ready");

const waits: Record<string, [Partial<World>, string]> = {
  "for a Machine that owns it": [{ owner: undefined }, "WaitingForOwner"],
  "for its Cluster": [{ ownerCluster: undefined }, "WaitingForCluster"],
  "for the infrastructure of the Cluster": [
    { ownerCluster: { ...ownerCluster, status: {} } },
    "WaitingForClusterInfrastructureReady",
  ],
  "for the bootstrap data": [
    { owner: { ...owner, spec: { clusterName: "c" } } },
    "WaitingForBootstrapData",
  ],
  "with the reason where a failure domain is asked for": [
    { owner: { ...owner, spec: { ...owner.spec, failureDomain: "zone-1" } } },
    "FailureDomainNotFound",
  ],
};

describe("a machine waits", () => {
  for (const [what, [changes, reason]] of Object.entries(waits)) {
    it(what, async () => {
      const world = worldOf(changes);
      await world.reconcile();
      assert.equal(ready(world.machine)?.reason, reason);
      assert.equal(ready(world.machine)?.status, "False");
      assert.deepEqual(world.vms, []);
    });
  }
});

describe("a machine", () => {
  it("has one virtual machine, named after the Machine and owned by it", async () => {
    const world = worldOf({
      owner: { ...owner, metadata: { ...owner.metadata, labels: controlPlane } },
    });
    await world.reconcile();
    await world.reconcile();
    const [vm, ...more] = world.vms;
    assert.deepEqual(more, []);
    assert.equal(vm?.metadata.name, "worker-1");
    assert.deepEqual(vm?.metadata.labels, {
      "cluster.x-k8s.io/cluster-name": "c",
      "cluster.x-k8s.io/control-plane": "",
    });
    assert.equal(vm?.metadata.ownerReferences?.[0]?.uid, "vm-machine");
    assert.equal(vm?.spec.bootstrapRef?.name, "data");
    assert.equal(vm?.spec.template, "ubuntu");
  });

  it("waits for the infrastructure of a Cluster of the older contract too", async () => {
    const world = worldOf({
      ownerCluster: { ...ownerCluster, status: { infrastructureReady: true } },
    });
    await world.reconcile();
    assert.equal(world.vms.length, 1);
  });

  it("takes over what its virtual machine is and says", async () => {
    const world = worldOf({ vms: [vmOf()] });
    await world.reconcile();
    const { spec, status } = world.machine;
    assert.equal(spec.providerID, `vsphere://${uuid}`);
    assert.equal(status?.ready, true);
    assert.deepEqual(status?.initialization, { provisioned: true });
    assert.deepEqual(status?.addresses, [
      { type: "ExternalIP", address: "10.0.0.7" },
      { type: "InternalDNS", address: "worker-1" },
    ]);
    assert.equal(status?.network?.[0]?.macAddr, "00:50:56:00:00:01");
  });

  it("stays provisioned when its virtual machine fails later, and says why", async () => {
    const world = worldOf({ vms: [vmOf()] });
    await world.reconcile();
    const conditions = [
      {
        type: "Ready",
        status: "False",
        reason: "TaskFailed",
        message: "could not finish VirtualMachine.clone",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      } as const,
    ];
    world.vms = [vmOf({ status: { conditions } })];
    await world.reconcile();
    assert.deepEqual(world.machine.status?.initialization, { provisioned: true });
    assert.equal(world.machine.status?.ready, false);
    assert.equal(ready(world.machine)?.reason, "TaskFailed");
    assert.equal(ready(world.machine)?.message, "could not finish VirtualMachine.clone");
  });

  it("is never given a second virtual machine", async () => {
    const world = worldOf({ vms: [vmOf()] });
    await world.reconcile();
    world.vms = [];
    await world.reconcile();
    assert.deepEqual(world.vms, []);
    assert.equal(ready(world.machine)?.reason, "VirtualMachineNotFound");
  });

  it("does not take the virtual machine of another", async () => {
    const other = { ...ownerReferenceTo(machine), name: "other", uid: "o" };
    const vm = vmOf({
      metadata: { namespace: "team", name: "worker-1", ownerReferences: [other] },
    });
    const world = worldOf({ vms: [vm] });
    await world.reconcile();
    assert.equal(ready(world.machine)?.reason, "NameTaken");
    assert.deepEqual(world.vms, [vm]);
  });

  it("hands on what may change while the virtual machine is there", async () => {
    const changed = {
      ...machine,
      spec: { ...machine.spec, powerOffMode: "trySoft", template: "b" },
    };
    const world = worldOf({ machine: changed as VSphereMachine, vms: [vmOf()] });
    await world.reconcile();
    assert.equal(world.vms[0]?.spec.powerOffMode, "trySoft");
    assert.equal(world.vms[0]?.spec.template, "ubuntu");
  });

  it("goes after its virtual machine", async () => {
    const world = worldOf({ machine: build(machine, deletedAt(clock)), vms: [vmOf()] });
    await world.reconcile();
    assert.deepEqual(world.deleted, ["worker-1"]);
    assert.deepEqual(world.machine.metadata.finalizers, [finalizer]);
    assert.equal(ready(world.machine)?.reason, "Deleting");
    world.vms = [];
    await world.reconcile();
    assert.deepEqual(world.machine.metadata.finalizers, []);
  });

  it("is left alone while its Cluster is paused", async () => {
    const world = worldOf({ ownerCluster: { ...ownerCluster, spec: { paused: true } } });
    await world.reconcile();
    assert.deepEqual(world.vms, []);
    assert.equal(getCondition(world.machine.status?.conditions, "Paused")?.status, "True");
  });

  it("is left alone while it is paused, also when it is deleted", async () => {
    const paused = withAnnotations({ "cluster.x-k8s.io/paused": "" });
    const world = worldOf({ machine: build(machine, deletedAt(clock), paused), vms: [vmOf()] });
    await world.reconcile();
    assert.deepEqual(world.deleted, []);
    assert.equal(getCondition(world.machine.status?.conditions, "Paused")?.status, "True");
    assert.equal(ready(world.machine), undefined);
  });
});
