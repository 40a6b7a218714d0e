import { createHash } from "node:crypto";
import type { ObjectMeta } from "@rookery/kube";

export const hashLength = 16;
const prefix = "infrastructure.cluster.x-k8s.io/vspherecluster-";

/** What keeps an identity while a cluster uses it: one for each, since clusters come and go alone. */
export function inUseFinalizer(cluster: ObjectMeta): string {
  return `${prefix}${claimHash(cluster)}`;
}

/** Short enough for a finalizer, whatever the names are. */
export function claimHash({ namespace = "", name = "" }: ObjectMeta): string {
  const hash = createHash("sha256").update(`${namespace}/${name}`).digest("hex");
  return hash.slice(0, hashLength);
}

/** How many clusters use it. */
export function usersOf(metadata: ObjectMeta): number {
  return inUseFinalizers(metadata).length;
}

/** One for each cluster that uses it. */
export function inUseFinalizers({ finalizers = [] }: ObjectMeta): string[] {
  return finalizers.filter((finalizer) => finalizer.startsWith(prefix));
}
