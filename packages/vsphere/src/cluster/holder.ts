import type { VSphereCluster } from "@rookery/api";

/** In whose name the sessions of a cluster are held. */
export function holderOf({ metadata }: VSphereCluster): string {
  return `VSphereCluster/${metadata.namespace}/${metadata.name}`;
}
