import type { Cluster, ClusterResourceSet, ClusterResourceSetBinding } from "@rookery/api";
import type { Client } from "@rookery/client";
import type { Clock, KubeObject, ObjectKey } from "@rookery/kube";
import type { Commit } from "@rookery/runtime";

export type ResourceReference = ClusterResourceSet["spec"]["resources"][number];

/** A ConfigMap or a Secret. */
export interface DataObject extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

/** What one reconcile of a ClusterResourceSet needs of the world. */
export interface ResourceSetDependencies {
  readonly getResourceSet: (key: ObjectKey) => Promise<ClusterResourceSet | undefined>;
  /** The Clusters that it selects, but for those that are being deleted. */
  readonly selectedClusters: (set: ClusterResourceSet) => Promise<readonly Cluster[]>;
  /** Undefined where it is not there. */
  readonly getData: (
    reference: ResourceReference,
    namespace: string,
  ) => Promise<DataObject | undefined>;
  readonly commitData: (original: DataObject, desired: DataObject) => Promise<DataObject>;
  readonly getBinding: (key: ObjectKey) => Promise<ClusterResourceSetBinding | undefined>;
  readonly createBinding: (
    binding: ClusterResourceSetBinding,
  ) => Promise<ClusterResourceSetBinding>;
  readonly commitBinding: Commit<ClusterResourceSetBinding>;
  readonly deleteBinding: (binding: ClusterResourceSetBinding) => Promise<void>;
  readonly workloadClient: (cluster: Cluster) => Client | undefined;
  readonly commit: Commit<ClusterResourceSet>;
  readonly clock: Clock;
}
