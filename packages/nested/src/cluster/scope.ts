import type { NestedCluster, NestedControlPlane } from "@rookery/api";
import type { ContractReference, OwnerCluster } from "@rookery/cluster-api";
import type { Clock, ObjectKey } from "@rookery/kube";
import type { Commit } from "@rookery/runtime";

/** What one reconcile of a NestedCluster needs of the world. */
export interface ClusterDependencies {
  readonly getCluster: (key: ObjectKey) => Promise<NestedCluster | undefined>;
  /** The Cluster that owns it; undefined where there is none yet. */
  readonly getOwner: (cluster: NestedCluster) => Promise<OwnerCluster | undefined>;
  readonly getControlPlane: (key: ObjectKey) => Promise<NestedControlPlane | undefined>;
  /** Writes what changed; returns the object as it is then. */
  readonly commit: Commit<NestedCluster>;
  /** Sets the control plane of a Cluster that has none, and is still the one that was read. */
  readonly setControlPlane: (owner: OwnerCluster, reference: ContractReference) => Promise<void>;
  readonly clock: Clock;
}
