import type { Provider } from "@rookery/api";
import { listCommand } from "../get/list-command.ts";
import { providerColumns } from "../get/providers.ts";
import { listProviders } from "../providers/declared-providers.ts";

/** Lists the declared providers and their state. */
export const run = listCommand<Provider>({
  description:
    "Lists the providers that are declared to the operator, of all kinds, in the order of their " +
    "installation. Without -n they are of all namespaces.",
  examples: `  rookery get providers                 all of them
  rookery get providers -o wide         with the namespaces they watch, contracts and messages
  rookery get providers gcp -o yaml     the objects, as kubectl prints them`,
  list: async ({ client }, { namespace }) => ({
    items: await listProviders(client, namespace),
    columns: providerColumns,
    nameOf: ({ metadata }) => metadata.name ?? "",
    what: namespace === undefined ? "providers" : `providers in namespace ${namespace}`,
    hint: '"rookery init" declares some, "rookery migrate" takes over those of clusterctl.',
  }),
});
