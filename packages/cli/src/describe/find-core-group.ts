import type { Client } from "@rookery/client";
import { parseApiVersion } from "@rookery/kube";
import { coreGroup, listClusters } from "../get/clusters.ts";

/** Under which group a cluster is: Cluster API's own, unless it is only under one of another core. */
export async function findCoreGroup(
  client: Client,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<string> {
  const clusters = await listClusters(client, namespace);
  const groups = clusters
    .filter(({ metadata }) => metadata.name === name)
    .map(({ apiVersion }) => parseApiVersion(apiVersion).group);
  return groups.includes(coreGroup) ? coreGroup : (groups[0] ?? coreGroup);
}
