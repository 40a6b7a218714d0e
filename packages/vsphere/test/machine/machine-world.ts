import type { VSphereMachine, VSphereVM } from "@rookery/api";
import type { OwnerCluster, OwnerMachine } from "@rookery/cluster-api";
import { type KubeObject, ownerReferenceTo } from "@rookery/kube";
import { build, stored, withFinalizers } from "@rookery/testing";
import { machineLifecycle } from "../../src/machine/reconcile.ts";
import type { MachineScope } from "../../src/machine/scope.ts";

export const clock = () => new Date("2026-01-01T00:00:00Z");
export const finalizer = "vspheremachine.infrastructure.cluster.x-k8s.io";
export const uuid = "42000000-0000-4000-8000-000000000001";

export const controlPlane = { "cluster.x-k8s.io/control-plane": "" };

export const owner: OwnerMachine = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Machine",
  metadata: { namespace: "team", name: "worker-1", uid: "m" },
  spec: { clusterName: "c", bootstrap: { dataSecretName: "data" } },
};
export const ownerCluster: OwnerCluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { namespace: "team", name: "c" },
  spec: { infrastructureRef: { kind: "VSphereCluster", name: "c" } },
  status: { initialization: { infrastructureProvisioned: true } },
};
export const machine: VSphereMachine = build(
  {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereMachine",
    metadata: { namespace: "team", name: "infra-1", ownerReferences: [ownerReferenceTo(owner)] },
    spec: { template: "ubuntu", network: { devices: [{ networkName: "n" }] } },
  },
  stored("vm-machine"),
  withFinalizers(finalizer),
);

export interface World {
  machine: VSphereMachine;
  owner: OwnerMachine | undefined;
  ownerCluster: OwnerCluster | undefined;
  vms: VSphereVM[];
  deleted: string[];
}

/** An API server of a few variables. */
export function worldOf(
  changes: Partial<World>,
): World & { readonly reconcile: () => Promise<void> } {
  const world: World = { machine, owner, ownerCluster, vms: [], deleted: [], ...changes };
  const isOwned = ({ metadata }: KubeObject) =>
    metadata.ownerReferences?.some(({ uid }) => uid === world.machine.metadata.uid) === true;
  const scope: MachineScope = {
    get: async () => world.machine,
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
    reconcile: async () => void (await machineLifecycle.reconcile(request, scope)),
  });
}

export function vmOf(changes: Partial<VSphereVM> = {}): VSphereVM {
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
