import { isNamespaceAllowed } from "@rookery/api";
import { builtInResources, type KubeObject } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import { readGetArguments } from "../get/get-arguments.ts";
import { type Identity, identityColumns, listIdentities } from "../get/identities.ts";
import { printFound } from "../get/print-found.ts";
import { type Connection, connectTo } from "../kube-flags.ts";

/** Which accounts there are, and which namespaces may use them. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const given = readGetArguments(args, io, {
    what: "identities",
    description:
      "Lists the identities of infrastructure providers: accounts, and the namespaces whose clusters may " +
      "be made with them. They are in no namespace; -n lists those that a namespace may use.",
    examples: `  rookery get identities                all of them
  rookery get identities -n team        those that clusters in the namespace team may use
  rookery get identities -o wide        and their Secrets and servers`,
  });
  await using connection = await connectTo(given.flags, io);
  const { namespace } = given.flags;
  const all = await listIdentities(connection.client);
  printFound(io, given, {
    items: namespace === undefined ? all : await usableIn(namespace, all, connection),
    columns: identityColumns,
    nameOf: ({ metadata }) => metadata.name ?? "",
    what: namespace === undefined ? "identities" : `identities for namespace ${namespace}`,
    hint: "docs/vsphere.md says how one is made.",
  });
}

async function usableIn(
  name: string,
  identities: readonly Identity[],
  { client }: Connection,
): Promise<readonly Identity[]> {
  const { metadata } = await client.resource<KubeObject>(builtInResources.namespaces).get({ name });
  return identities.filter(({ spec }) => isNamespaceAllowed(spec?.allowedNamespaces, metadata));
}
