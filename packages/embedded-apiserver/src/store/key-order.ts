import type { StoreKey } from "@rookery/kube";

type Place = Pick<StoreKey, "namespace" | "name">;

/**
 * The order in which a list of all namespaces comes: that of the text "<namespace>/<name>", in which
 * the namespace "a-b" precedes "a", as the keys of etcd do.
 */
export function comparePlaces(a: Place, b: Place): number {
  if (a.namespace === b.namespace) return compareText(a.name, b.name);
  return compareText(`${a.namespace}/`, `${b.namespace}/`);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
