import type { CommandIo } from "../command.ts";
import { clusterColumns, listClusters, namespaceColumn } from "../get/clusters.ts";
import { readGetArguments } from "../get/get-arguments.ts";
import { printFound } from "../get/print-found.ts";
import { connectTo } from "../kube-flags.ts";

/** Which clusters there are, whoever runs them. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const given = readGetArguments(args, io, {
    what: "clusters",
    description:
      "Lists the clusters of a namespace, under Cluster API's own group and under those of providers with " +
      "an apiGroupSuffix.",
    examples: `  rookery get clusters                  of the namespace of the context
  rookery get clusters -A               of all namespaces
  rookery get clusters prod -o json     the object, as kubectl prints it`,
  });
  await using connection = await connectTo(given.flags, io);
  const { allNamespaces } = given.flags;
  const { client, namespace } = connection;
  printFound(io, given, {
    items: await listClusters(client, allNamespaces ? undefined : namespace),
    columns: allNamespaces ? [namespaceColumn, ...clusterColumns] : clusterColumns,
    nameOf: ({ metadata }) => metadata.name ?? "",
    what: allNamespaces ? "clusters" : `clusters in namespace ${namespace}`,
    hint: allNamespaces
      ? '"rookery generate cluster" prints one to apply.'
      : "-A lists those of all namespaces.",
  });
}
