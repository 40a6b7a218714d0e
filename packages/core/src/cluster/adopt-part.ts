import type { Cluster } from "@rookery/api";
import { hasOwnerReference, withOwnerReference } from "@rookery/kube";
import type { Externals, Lookup } from "../contract/externals.ts";
import { clusterNameLabel } from "../words.ts";

/** Makes a part the Cluster's own, by an owner reference and the label with its name. */
export async function adoptPart(
  cluster: Cluster,
  lookup: Lookup,
  externals: Externals,
): Promise<Lookup> {
  if (lookup.outcome !== "found") return lookup;
  const { object } = lookup;
  const { name = "" } = cluster.metadata;
  const owner = object.metadata.ownerReferences?.find(({ uid }) => uid === cluster.metadata.uid);
  const isOwned = hasOwnerReference(object, cluster) && owner?.apiVersion === cluster.apiVersion;
  if (isOwned && object.metadata.labels?.[clusterNameLabel] === name) return lookup;
  const owned = isOwned ? object : withOwnerReference(object, cluster);
  const labels = { ...owned.metadata.labels, [clusterNameLabel]: name };
  const desired = { ...owned, metadata: { ...owned.metadata, labels } };
  try {
    return { ...lookup, object: await externals.commit(lookup, desired) };
  } catch (error) {
    return { outcome: "failed", error };
  }
}
