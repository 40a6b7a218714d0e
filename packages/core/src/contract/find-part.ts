import { clusterNameLabel } from "@rookery/cluster-api";
import type { KubeObject } from "@rookery/kube";
import type { ContractReference, Externals, Lookup } from "./externals.ts";

/** The Cluster or Machine that a part belongs to. */
export interface PartOwner {
  readonly namespace: string | undefined;
  readonly clusterName: string;
  /** The part with its owner; the very part where it has it already. May throw. */
  readonly withOwner: (part: KubeObject) => KubeObject;
}

/** Finds a part, and gives it its owner and the label of its Cluster. Never rejects. */
export async function findPart(
  reference: ContractReference | undefined,
  { namespace, clusterName, withOwner }: PartOwner,
  externals: Externals,
): Promise<Lookup> {
  const lookup = await externals.find(reference, namespace);
  if (lookup.outcome !== "found") return lookup;
  try {
    const desired = withClusterLabel(withOwner(lookup.object), clusterName);
    if (desired === lookup.object) return lookup;
    return { ...lookup, object: await externals.commit(lookup, desired) };
  } catch (error) {
    return { outcome: "failed", error };
  }
}

function withClusterLabel(part: KubeObject, clusterName: string): KubeObject {
  const { metadata } = part;
  if (metadata.labels?.[clusterNameLabel] === clusterName) return part;
  const labels = { ...metadata.labels, [clusterNameLabel]: clusterName };
  return { ...part, metadata: { ...metadata, labels } };
}
