import type { Client } from "@rookery/client";
import { didYouMean, isForbidden } from "@rookery/kube";
import type { NamespacedKey } from "../objects.ts";
import { listClusters } from "./clusters.ts";

/** Why a cluster was not found, with a similar one. */
export async function whyNoCluster(
  client: Client,
  { namespace, name }: NamespacedKey,
): Promise<string> {
  const near = didYouMean(name, await clusterNames(client, namespace));
  const punctuation = near === "" ? ";" : "";
  return `there is no such cluster${near}${punctuation} "rookery get clusters -A" lists those that there are`;
}

/** Empty for a user who may not list clusters. */
async function clusterNames(client: Client, namespace: string): Promise<readonly string[]> {
  try {
    const clusters = await listClusters(client, namespace);
    return clusters.flatMap(({ metadata }) => metadata.name ?? []);
  } catch (error) {
    if (isForbidden(error)) return [];
    throw error;
  }
}
