import type { KubeObject, Resource } from "@rookery/kube";

/** In which clusterctl, and the operator, keep what is installed. */
export const providerResource: Resource = {
  group: "clusterctl.cluster.x-k8s.io",
  version: "v1alpha3",
  kind: "Provider",
  plural: "providers",
  singular: "provider",
  namespaced: true,
};

export interface InstalledProvider extends KubeObject {
  readonly providerName?: string;
  readonly type?: string;
  readonly version?: string;
}
