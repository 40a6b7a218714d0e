import type {
  CronJobSpec,
  CronJobStatus,
  DaemonSetSpec,
  DaemonSetStatus,
  DeploymentSpec,
  DeploymentStatus,
  JobSpec,
  JobStatus,
  NodeSpec,
  PersistentVolumeClaimSpec,
  PodSpec,
  PodStatus,
  ReplicaSetSpec,
  ReplicaSetStatus,
  StatefulSetSpec,
  StatefulSetStatus,
} from "@rookery/api";
import type { KubeObject } from "@rookery/kube";

/** An object as the store has it: with its defaults, and with a spec and a status. */
export interface Stored<Spec = object, Status = object> extends KubeObject<Spec, Status> {
  readonly spec: Spec;
  readonly status: Status;
}

export type Pod = Stored<PodSpec, PodStatus>;
export type Claim = Stored<PersistentVolumeClaimSpec>;
export type Node = Stored<NodeSpec>;
export type Deployment = Stored<DeploymentSpec, DeploymentStatus>;
export type ReplicaSet = Stored<ReplicaSetSpec, ReplicaSetStatus>;
export type StatefulSet = Stored<StatefulSetSpec, StatefulSetStatus>;
export type DaemonSet = Stored<DaemonSetSpec, DaemonSetStatus>;
export type Job = Stored<JobSpec, JobStatus>;
export type CronJob = Stored<CronJobSpec, CronJobStatus>;

/** A ControllerRevision: one state of a template. */
export interface Revision extends Stored {
  readonly data?: unknown;
  readonly revision?: number;
}

export function findCondition<T extends { readonly type?: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}
