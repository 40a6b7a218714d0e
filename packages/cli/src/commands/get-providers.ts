import type { CommandIo } from "../command.ts";
import { readGetArguments } from "../get/get-arguments.ts";
import { printFound } from "../get/print-found.ts";
import { listProviders, providerColumns } from "../get/providers.ts";
import { connectTo } from "../kube-flags.ts";

/** Which providers are declared, and how they are. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const given = readGetArguments(args, io, {
    what: "providers",
    description:
      "Lists the providers that are declared to the operator, of all kinds, in the order in which they " +
      "are installed. They are of all namespaces where -n names none.",
    examples: `  rookery get providers                 all of them
  rookery get providers -o wide         and what they watch, their contract and what is wrong
  rookery get providers gcp -o yaml     the objects, as kubectl prints them`,
  });
  await using connection = await connectTo(given.flags, io);
  const { namespace } = given.flags;
  printFound(io, given, {
    items: await listProviders(connection.client, namespace),
    columns: providerColumns,
    nameOf: ({ metadata }) => metadata.name ?? "",
    what: namespace === undefined ? "providers" : `providers in namespace ${namespace}`,
    hint: '"rookery init" declares some, "rookery migrate" takes over those of clusterctl.',
  });
}
