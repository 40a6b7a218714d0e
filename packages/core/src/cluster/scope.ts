import type { Cluster, Machine } from "@rookery/api";
import type { Clock, KubeObject, ObjectKey } from "@rookery/kube";
import type { Commit, EventRecorder } from "@rookery/runtime";
import type { Externals, Lookup } from "../contract/externals.ts";
import type { ProbeState } from "../remote/workload-clusters.ts";

/** What one reconcile of a Cluster needs of the world. */
export interface ClusterDependencies {
  readonly getCluster: (key: ObjectKey) => Promise<Cluster | undefined>;
  /** The Machines with the label of the cluster. */
  readonly listMachines: (cluster: Cluster) => Promise<readonly Machine[]>;
  readonly deleteMachine: (machine: Machine) => Promise<void>;
  readonly externals: Externals;
  /** Makes the kubeconfig of a cluster without a control plane, where its authority is there. */
  readonly ensureKubeconfig: (cluster: Cluster) => Promise<"there" | "NoAuthority">;
  readonly probe: (cluster: Cluster) => ProbeState;
  /** Writes what changed; returns the object as it is then. */
  readonly commit: Commit<Cluster>;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

/** The state of a Cluster and its parts as one reconcile reads it. */
export interface ObservedCluster {
  readonly infrastructure: Lookup;
  readonly controlPlane: Lookup;
  readonly machines: readonly Machine[];
  readonly probe: ProbeState;
  /** The progress of its deletion. */
  readonly deleting?: { readonly reason: string; readonly message: string };
}

/** The object that was found; undefined where none was. */
export function foundObject(lookup: Lookup): KubeObject | undefined {
  return lookup.outcome === "found" ? lookup.object : undefined;
}
