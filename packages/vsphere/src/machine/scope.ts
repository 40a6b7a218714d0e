import type { VSphereCluster, VSphereMachine, VSphereVM } from "@rookery/api";
import type { OwnerCluster, OwnerMachine } from "@rookery/cluster-api";
import type { Clock } from "@rookery/kube";
import type { Request } from "@rookery/runtime";

/** What one reconcile of a VSphereMachine needs of the world. */
export interface MachineDependencies {
  readonly getMachine: (key: Request) => Promise<VSphereMachine | undefined>;
  /** Writes what changed; returns the object as it is then. */
  readonly commit: (original: VSphereMachine, desired: VSphereMachine) => Promise<VSphereMachine>;
  /** The Machine that owns it; undefined where there is none yet. */
  readonly getOwner: (machine: VSphereMachine) => Promise<OwnerMachine | undefined>;
  /** The Cluster that it belongs to. */
  readonly getOwnerCluster: (
    machine: VSphereMachine,
    owner: OwnerMachine | undefined,
  ) => Promise<OwnerCluster | undefined>;
  /** The VSphereCluster that a Cluster is on. */
  readonly getCluster: (owner: OwnerCluster) => Promise<VSphereCluster | undefined>;
  /** All VSphereVMs that the machine owns, as far as they are known. */
  readonly ownedVms: (machine: VSphereMachine) => Promise<readonly VSphereVM[]>;
  /** Asks the server, so that what was just made is found. */
  readonly readVm: (key: Request) => Promise<VSphereVM | undefined>;
  /** Undefined where another one of that name was there before. */
  readonly createVm: (vm: VSphereVM) => Promise<VSphereVM | undefined>;
  readonly commitVm: (original: VSphereVM, desired: VSphereVM) => Promise<VSphereVM>;
  /** Deletes this very object; one that is gone is no error. */
  readonly deleteVm: (vm: VSphereVM) => Promise<void>;
  readonly clock: Clock;
}
