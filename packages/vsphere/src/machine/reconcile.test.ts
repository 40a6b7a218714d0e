import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VSphereMachine, VSphereVM } from "@rookery/api";
import { getCondition, type KubeObject, ownerReferenceTo } from "@rookery/kube";
import { build, deletedAt, stored, withAnnotations, withFinalizers } from "@rookery/testing";
import type { OwnerCluster, OwnerMachine } from "../cluster-api/owners.ts";
import { reconcileMachine } from "./reconcile.ts";
import type { MachineDependencies } from "./scope.ts";

const clock = () => new Date("2026-01-01T00:00:00Z");
const finalizer = "vspheremachine.infrastructure.cluster.x-k8s.io";
const uuid = "42000000-0000-4000-8000-000000000001";

const controlPlane = { "cluster.x-k8s.io/control-plane": "" };

const owner: OwnerMachine = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Machine",
  metadata: { namespace: "team", name: "worker-1", uid: "m" },
  spec: { clusterName: "c", bootstrap: { dataSecretName: "data" } },
};
const ownerCluster: OwnerCluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { namespace: "team", name: "c" },
  spec: { infrastructureRef: { kind: "VSphereCluster", name: "c" } },
  status: { initialization: { infrastructureProvisioned: true } },
};
const machine: VSphereMachine = build(
  {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereMachine",
    metadata: { namespace: "team", name: "infra-1", ownerReferences: [ownerReferenceTo(owner)] },
    spec: { template: "ubuntu", network: { devices: [{ networkName: "n" }] } },
  },
  stored("vm-machine"),
  withFinalizers(finalizer),
);

interface World {
  machine: VSphereMachine;
  owner: OwnerMachine | undefined;
  ownerCluster: OwnerCluster | undefined;
  vms: VSphereVM[];
  deleted: string[];
}

/** An API server of a few variables. */
function worldOf(changes: Partial<World>): World & { readonly reconcile: () => Promise<void> } {
  const world: World = { machine, owner, ownerCluster, vms: [], deleted: [], ...changes };
  const isOwned = ({ metadata }: KubeObject) =>
    metadata.ownerReferences?.some(({ uid }) => uid === world.machine.metadata.uid) === true;
  const dependencies: MachineDependencies = {
    getMachine: async () => world.machine,
    commit: async (_, desired) => {
      world.machine = desired;
      return desired;
    },
    getOwner: async () => world.owner,
    getOwnerCluster: async () => world.ownerCluster,
    getCluster: async ({ metadata }) => ({
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind: "VSphereCluster",
      metadata,
    }),
    ownedVms: async () => world.vms.filter(isOwned),
    readVm: async ({ name }) => world.vms.find(({ metadata }) => metadata.name === name),
    createVm: async (vm) => {
      world.vms.push(build(vm, stored(`uid-${world.vms.length}`)));
      return world.vms.at(-1);
    },
    commitVm: async (_, desired) => {
      world.vms = world.vms.map((vm) =>
        vm.metadata.name === desired.metadata.name ? desired : vm,
      );
      return desired;
    },
    deleteVm: async ({ metadata }) => {
      world.deleted.push(metadata.name ?? "");
    },
    clock,
  };
  const request = { namespace: "team", name: "infra-1" };
  return Object.assign(world, {
    reconcile: async () => void (await reconcileMachine(request, dependencies)),
  });
}

const ready = ({ status }: VSphereMachine) => getCondition(status?.conditions, "Ready");

function vmOf(changes: Partial<VSphereVM> = {}): VSphereVM {
  return {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereVM",
    metadata: {
      namespace: "team",
      name: "worker-1",
      uid: "v",
      ownerReferences: [ownerReferenceTo(machine)],
    },
    spec: { ...machine.spec, biosUUID: uuid },
    status: {
      addresses: ["10.0.0.7"],
      network: [{ macAddr: "00:50:56:00:00:01", ipAddrs: ["10.0.0.7"] }],
      conditions: [
        {
          type: "Ready",
          status: "True",
          reason: "Running",
          message: "",
          lastTransitionTime: "2026-01-01T00:00:00Z",
        },
      ],
    },
    ...changes,
  };
}

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
