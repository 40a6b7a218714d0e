import type { VSphereCluster, VSphereMachine, VSphereVM } from "@rookery/api";
import { getOptional, ignoreAlreadyExists } from "@rookery/client";
import {
  clusterNameLabel,
  type OwnerCluster,
  type OwnerMachine,
  readOwner,
  referredKeys,
} from "@rookery/cluster-api";
import { type Clock, keyBeside, type Resource } from "@rookery/kube";
import {
  createResourceCommitter,
  deleteObject,
  type LifecycleScope,
  type ReconcileContext,
  type Request,
} from "@rookery/runtime";
import type { VSphereParts } from "../parts.ts";
import { clusters, virtualMachines } from "../resources.ts";

/** What one reconcile of a VSphereMachine needs. */
export interface MachineScope extends LifecycleScope<VSphereMachine>, VmClient {
  /** The Machine that owns it; undefined where there is none yet. */
  readonly getOwner: (machine: VSphereMachine) => Promise<OwnerMachine | undefined>;
  /** The Cluster that the Machine names, or the label of an object without a Machine. */
  readonly getOwnerCluster: (
    machine: VSphereMachine,
    owner: OwnerMachine | undefined,
  ) => Promise<OwnerCluster | undefined>;
  /** The VSphereCluster that a Cluster refers to. */
  readonly getCluster: (owner: OwnerCluster) => Promise<VSphereCluster | undefined>;
  /** The VSphereVMs in the cache that the machine owns. */
  readonly ownedVms: (machine: VSphereMachine) => Promise<readonly VSphereVM[]>;
  readonly clock: Clock;
}

/** Requests for VSphereVMs that are sent to the server. */
interface VmClient {
  /** Reads from the server, so that a VSphereVM that was just made is found. */
  readonly readVm: (key: Request) => Promise<VSphereVM | undefined>;
  /** Undefined where a VSphereVM of that name exists. */
  readonly createVm: (vm: VSphereVM) => Promise<VSphereVM | undefined>;
  readonly commitVm: (original: VSphereVM, desired: VSphereVM) => Promise<VSphereVM>;
  /** Deletes the object of this uid; one that is gone is no error. */
  readonly deleteVm: (vm: VSphereVM) => Promise<void>;
}

export interface MachineParts extends Pick<VSphereParts, "ownerClusters" | "clock"> {
  /** The Machines of Cluster API, in the version that the server prefers. */
  readonly ownerMachines: Resource;
}

/** The index of VSphereVMs by the uid of their owner, which the controller adds. */
export const byOwner = "owner";

export function machineScope(
  context: ReconcileContext<VSphereMachine>,
  { ownerClusters, ownerMachines, clock }: MachineParts,
): MachineScope {
  const { cache, get, commit } = context;
  return {
    get,
    commit,
    getOwner: (machine) =>
      readOwner(machine, "Machine", (key) => cache.get<OwnerMachine>(ownerMachines, key)),
    getOwnerCluster: async (machine, owner) => {
      const name = owner?.spec?.clusterName ?? machine.metadata.labels?.[clusterNameLabel];
      return name ? cache.get<OwnerCluster>(ownerClusters, keyBeside(machine, name)) : undefined;
    },
    getCluster: async (owner) => {
      const [key] = referredKeys(owner, owner.spec?.infrastructureRef, clusters);
      return key && cache.get<VSphereCluster>(clusters, key);
    },
    ownedVms: async ({ metadata }) => {
      const index = { name: byOwner, value: metadata.uid ?? "" };
      return cache.informerFor<VSphereVM>(virtualMachines).list({ index });
    },
    ...vmClient(context),
    clock,
  };
}

function vmClient({ client }: ReconcileContext<VSphereMachine>): VmClient {
  const vms = client.resource<VSphereVM>(virtualMachines);
  return {
    readVm: (key) => getOptional(vms, key),
    createVm: (vm) => ignoreAlreadyExists(vms.create(vm)),
    commitVm: createResourceCommitter(vms),
    deleteVm: (vm) => deleteObject(vms, vm),
  };
}
