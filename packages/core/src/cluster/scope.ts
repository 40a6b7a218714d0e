import type { Cluster, Machine } from "@rookery/api";
import type { KubeObject, Resource } from "@rookery/kube";
import { deleteObject, type ReconcileContext } from "@rookery/runtime";
import type { Lookup } from "../contract/externals.ts";
import type { CoreParts } from "../parts.ts";
import type { ProbeState } from "../remote/workload-clusters.ts";
import { machines } from "../resources.ts";
import { type CoreScope, coreScope } from "../scope.ts";
import { ensureKubeconfig } from "./phases/ensure-kubeconfig.ts";

/** What one reconcile of a Cluster needs. */
export interface ClusterScope extends CoreScope<Cluster> {
  readonly deleteMachine: (machine: Machine) => Promise<void>;
  /** Creates the kubeconfig of a cluster without a control plane, once its authority exists. */
  readonly ensureKubeconfig: (cluster: Cluster) => Promise<"exists" | "NoAuthority">;
}

export function clusterScope(
  context: ReconcileContext<Cluster>,
  parts: CoreParts,
  watchPart: (resource: Resource) => void,
): ClusterScope {
  const { client } = context;
  return {
    ...coreScope(context, parts, watchPart),
    deleteMachine: (machine) => deleteObject(client.resource(machines), machine),
    ensureKubeconfig: (cluster) => ensureKubeconfig(client, cluster),
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
