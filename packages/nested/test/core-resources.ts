import type { Condition, KubeObject, Resource } from "@rookery/kube";

/** The Cluster of Cluster API. */
export const coreClusters: Resource = {
  group: "cluster.x-k8s.io",
  version: "v1beta2",
  kind: "Cluster",
  plural: "clusters",
  singular: "cluster",
  namespaced: true,
};

export interface CoreCluster extends KubeObject {
  readonly spec?: {
    readonly paused?: boolean;
    readonly controlPlaneEndpoint?: { readonly host?: string; readonly port?: number };
    readonly controlPlaneRef?: { readonly kind?: string; readonly name?: string };
    readonly [field: string]: unknown;
  };
  readonly status?: {
    readonly phase?: string;
    readonly initialization?: {
      readonly infrastructureProvisioned?: boolean;
      readonly controlPlaneInitialized?: boolean;
    };
    readonly conditions?: readonly Condition[];
  };
}
