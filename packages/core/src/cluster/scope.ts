import type { Cluster, Machine } from "@rookery/api";
import { type Clock, type KubeObject, objectKeyOf, type Resource } from "@rookery/kube";
import {
  deleteObject,
  type EventRecorder,
  type LifecycleScope,
  type ReconcileContext,
} from "@rookery/runtime";
import { createExternals, type Externals, type Lookup } from "../contract/externals.ts";
import { machinesOf } from "../machine/policies.ts";
import type { CoreParts } from "../parts.ts";
import type { ProbeState } from "../remote/workload-clusters.ts";
import { machines } from "../resources.ts";
import { ensureKubeconfig } from "./phases/ensure-kubeconfig.ts";

/** What one reconcile of a Cluster needs. */
export interface ClusterScope extends LifecycleScope<Cluster> {
  /** The Machines with the label of the cluster. */
  readonly listMachines: (cluster: Cluster) => Promise<readonly Machine[]>;
  readonly deleteMachine: (machine: Machine) => Promise<void>;
  readonly externals: Externals;
  /** Creates the kubeconfig of a cluster without a control plane, once its authority exists. */
  readonly ensureKubeconfig: (cluster: Cluster) => Promise<"exists" | "NoAuthority">;
  readonly probe: (cluster: Cluster) => ProbeState;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

export function clusterScope(
  context: ReconcileContext<Cluster>,
  parts: CoreParts,
  watchPart: (resource: Resource) => void,
): ClusterScope {
  const { client, cache, get, commit } = context;
  const { workloadClusters, definitions, recorder, clock } = parts;
  return {
    get,
    commit,
    listMachines: (cluster) => cache.list<Machine>(machines, machinesOf(objectKeyOf(cluster))),
    deleteMachine: (machine) => deleteObject(client.resource(machines), machine),
    externals: createExternals(context, { definitions, watchPart }),
    ensureKubeconfig: (cluster) => ensureKubeconfig(client, cluster),
    probe: (cluster) => workloadClusters.state(objectKeyOf(cluster)),
    recorder,
    clock,
  };
}

/** The objects that a Cluster refers to. */
export interface ClusterParts {
  readonly infrastructure: Lookup;
  readonly controlPlane: Lookup;
}

/** The state of a Cluster and its parts as one reconcile reads it. */
export interface ObservedCluster extends ClusterParts {
  readonly machines: readonly Machine[];
  readonly probe: ProbeState;
  /** The progress of its deletion. */
  readonly deleting?: { readonly reason: string; readonly message: string };
}

/** The object that was found; undefined where none was. */
export function foundObject(lookup: Lookup): KubeObject | undefined {
  return lookup.outcome === "found" ? lookup.object : undefined;
}
