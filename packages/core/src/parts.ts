import type { Clock, PartialObjectMetadata } from "@rookery/kube";
import type { ControllerParts, EventRecorder, Informer } from "@rookery/runtime";
import type { WorkloadClusters } from "./remote/workload-clusters.ts";

/** The parts that the controllers of the core share. */
export interface CoreParts extends ControllerParts {
  readonly workloadClusters: WorkloadClusters;
  /** The metadata of Secrets: kubeconfigs and the resources of ClusterResourceSets. */
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  /** The metadata of CustomResourceDefinitions, whose labels name the contract of a kind. */
  readonly definitions: Informer<PartialObjectMetadata>;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}
