import type { Request } from "@rookery/runtime";

/** In whose name the sessions of a cluster are held. */
export function holderOf({ namespace, name }: Request): string {
  return `VSphereCluster/${namespace}/${name}`;
}
