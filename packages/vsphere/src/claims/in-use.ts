import { createHash } from "node:crypto";
import type { ObjectMeta } from "@rookery/kube";

const prefix = "infrastructure.cluster.x-k8s.io/vspherecluster-";

/**
 * What keeps an identity while a cluster uses it: one for each, since clusters come and go alone.
 * Short enough for a finalizer, whatever the names are.
 */
export function inUseFinalizer({ namespace = "", name = "" }: ObjectMeta): string {
  const hash = createHash("sha256").update(`${namespace}/${name}`).digest("hex");
  return `${prefix}${hash.slice(0, 16)}`;
}

/** How many clusters use it. */
export function usersOf(metadata: ObjectMeta): number {
  return inUseFinalizers(metadata).length;
}

/** One for each cluster that uses it. */
export function inUseFinalizers({ finalizers = [] }: ObjectMeta): string[] {
  return finalizers.filter((finalizer) => finalizer.startsWith(prefix));
}
