import type { VSphereCluster, VSphereMachine, VSphereVM } from "@rookery/api";
import { type Client, withSignal } from "@rookery/client";
import { clusterApiOwner, type OwnerCluster, type OwnerMachine } from "@rookery/cluster-api";
import {
  type Clock,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  objectKeyOf,
  type Resource,
} from "@rookery/kube";
import {
  byOwnerUid,
  type Cache,
  createResourceCommitter,
  type Informer,
  type Request,
} from "@rookery/runtime";
import { clusters, machines, virtualMachines } from "../resources.ts";
import { clusterNameOf } from "./policies.ts";
import type { MachineDependencies } from "./scope.ts";

export interface MachineWorld {
  readonly client: Client;
  readonly cache: Cache;
  /** The Clusters and Machines of Cluster API, in the version that the server prefers. */
  readonly ownerClusters: Resource;
  readonly ownerMachines: Resource;
  readonly clock?: Clock;
}

const byOwner = "owner";

/** What the controller of machines reads and writes in a Kubernetes, until a signal is aborted. */
export function machineDependencies(
  world: MachineWorld,
): (signal: AbortSignal) => MachineDependencies {
  const vms = world.cache.informerFor<VSphereVM>(virtualMachines);
  vms.addIndex(byOwner, byOwnerUid);
  return (signal) => dependenciesWithin(world, vms, signal);
}

function dependenciesWithin(
  { cache, ownerClusters, ownerMachines, clock = () => new Date(), ...world }: MachineWorld,
  vms: Pick<Informer<VSphereVM>, "list">,
  signal: AbortSignal,
): MachineDependencies {
  const client = withSignal(world.client, signal);
  const commit = createResourceCommitter(client.resource<VSphereMachine>(machines));
  return {
    getMachine: (key) => cache.get<VSphereMachine>(machines, key, signal),
    commit: (original, desired) => commit(original, desired, { signal }),
    getOwner: async (machine) => {
      const owner = clusterApiOwner(machine.metadata, "Machine");
      return owner && cache.get<OwnerMachine>(ownerMachines, beside(machine, owner.name), signal);
    },
    getOwnerCluster: async (machine, owner) => {
      const name = clusterNameOf(machine, owner);
      return name
        ? cache.get<OwnerCluster>(ownerClusters, beside(machine, name), signal)
        : undefined;
    },
    getCluster: async (owner) => {
      const { kind, name } = owner.spec?.infrastructureRef ?? {};
      if (kind !== "VSphereCluster" || !name) return undefined;
      return cache.get<VSphereCluster>(clusters, beside(owner, name), signal);
    },
    ownedVms: async ({ metadata }) =>
      vms.list({ index: { name: byOwner, value: metadata.uid ?? "" } }),
    ...vmAccess(client, signal),
    clock,
  };
}

type VmAccess = Pick<MachineDependencies, "readVm" | "createVm" | "commitVm" | "deleteVm">;

function vmAccess(client: Client, signal: AbortSignal): VmAccess {
  const vms = client.resource<VSphereVM>(virtualMachines);
  const commit = createResourceCommitter(vms);
  return {
    readVm: (key) => unless(isNotFound, vms.get(key)),
    createVm: (vm) => unless(isAlreadyExists, vms.create(vm)),
    commitVm: (original, desired) => commit(original, desired, { signal }),
    deleteVm: async (vm) => {
      const { uid } = vm.metadata;
      const preconditions = { ...(uid !== undefined && { uid }) };
      await unless(isNotFound, vms.delete(objectKeyOf(vm), { preconditions }));
    },
  };
}

async function unless<T>(
  isExpected: (error: unknown) => boolean,
  asked: Promise<T>,
): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

function beside({ metadata: { namespace } }: KubeObject, name: string): Request {
  return { name, ...(namespace && { namespace }) };
}
