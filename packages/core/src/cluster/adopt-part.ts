import type { Cluster } from "@rookery/api";
import { clusterApiGroup, clusterNameLabel } from "@rookery/cluster-api";
import {
  hasOwnerReference,
  type KubeObject,
  parseApiVersion,
  withOwnerReference,
} from "@rookery/kube";
import type { Externals, Lookup } from "../contract/externals.ts";
import { PartTakenError } from "../errors.ts";

/** By name: the uid of the same Cluster is another one after it was restored from a backup. */
function otherCluster({ metadata }: KubeObject, name: string): string | undefined {
  return metadata.ownerReferences?.find(
    (owner) =>
      owner.kind === "Cluster" &&
      parseApiVersion(owner.apiVersion).group === clusterApiGroup &&
      owner.name !== name,
  )?.name;
}

function keyOf({ kind, metadata }: KubeObject): { readonly kind: string; readonly name: string } {
  return { kind, name: metadata.name ?? "" };
}

/** Makes a part the Cluster's own, by an owner reference and the label with its name. */
export async function adoptPart(
  cluster: Cluster,
  lookup: Lookup,
  externals: Externals,
): Promise<Lookup> {
  if (lookup.outcome !== "found") return lookup;
  const { object } = lookup;
  const { name = "" } = cluster.metadata;
  const other = otherCluster(object, name);
  if (other) return { outcome: "failed", error: new PartTakenError(keyOf(object), other) };
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
