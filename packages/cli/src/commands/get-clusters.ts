import type { Cluster } from "@rookery/api";
import { clusterColumns, listClusters } from "../get/clusters.ts";
import { namespaceColumn } from "../get/column.ts";
import { listCommand } from "../get/list-command.ts";

/** Lists clusters, under the API groups of all cores. */
export const run = listCommand<Cluster>({
  description:
    "Lists the clusters of a namespace, under Cluster API's own group and under those of providers with " +
    "an apiGroupSuffix.",
  examples: `  rookery get clusters                  of the namespace of the context
  rookery get clusters -A               of all namespaces
  rookery get clusters prod -o json     the object, as kubectl prints it`,
  list: async ({ client, namespace }, { allNamespaces }) => ({
    items: await listClusters(client, allNamespaces ? undefined : namespace),
    columns: allNamespaces ? [namespaceColumn, ...clusterColumns] : clusterColumns,
    nameOf: ({ metadata }) => metadata.name ?? "",
    what: allNamespaces ? "clusters" : `clusters in namespace ${namespace}`,
    hint: allNamespaces
      ? '"rookery generate cluster" prints one to apply.'
      : "-A lists those of all namespaces.",
  }),
});
