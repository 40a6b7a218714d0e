import type { Client } from "@rookery/client";
import { didYouMean, isForbidden } from "@rookery/kube";
import { listClusters } from "./clusters.ts";

interface ClusterPlace {
  readonly namespace: string;
  readonly name: string;
}

/** Why a cluster was not found, with the one that was probably meant. */
export async function whyNoCluster(
  client: Client,
  { namespace, name }: ClusterPlace,
): Promise<string> {
  const near = didYouMean(name, await clusterNames(client, namespace));
  const punctuation = near === "" ? ";" : "";
  return `there is no such cluster${near}${punctuation} "rookery get clusters -A" lists those that there are`;
}

/** Those that this user may see. */
async function clusterNames(client: Client, namespace: string): Promise<readonly string[]> {
  try {
    const clusters = await listClusters(client, namespace);
    return clusters.flatMap(({ metadata }) => metadata.name ?? []);
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
