import type { Request } from "@rookery/runtime";

/** The name under which the session manager holds the sessions of a cluster. */
export function holderOf({ namespace, name }: Request): string {
  return `VSphereCluster/${namespace}/${name}`;
}
