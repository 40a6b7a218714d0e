import type { KubeObject, Resource } from "@rookery/kube";
import { clusterctlGroup } from "./names.ts";

/** The inventory of clusterctl. */
export const clusterctlProviders: Resource = {
  group: clusterctlGroup,
  version: "v1alpha3",
  kind: "Provider",
  plural: "providers",
  singular: "provider",
  namespaced: true,
};

/** The object with which clusterctl records an installed provider. */
export interface ClusterctlRecord extends KubeObject {
  readonly providerName?: string;
  readonly type?: string;
  readonly version?: string;
  /** The one namespace that the provider watches; all if empty. */
  readonly watchedNamespace?: string;
}
