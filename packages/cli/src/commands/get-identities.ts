import { isNamespaceAllowed } from "@rookery/api";
import type { Client } from "@rookery/client";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { type Identity, identityColumns, listIdentities } from "../get/identities.ts";
import { listCommand } from "../get/list-command.ts";

/** Lists accounts of infrastructure, and the namespaces that may use them. */
export const run = listCommand<Identity>({
  description:
    "Lists the identities of infrastructure providers: accounts, and the namespaces whose clusters may " +
    "use them. They are cluster-scoped; -n lists those that a namespace may use.",
  examples: `  rookery get identities                all of them
  rookery get identities -n team        those that clusters in the namespace team may use
  rookery get identities -o wide        and their Secrets and servers`,
  list: async ({ client }, { namespace }) => {
    const all = await listIdentities(client);
    return {
      items: namespace === undefined ? all : await usableIn(namespace, all, client),
      columns: identityColumns,
      nameOf: ({ metadata }) => metadata.name ?? "",
      what: namespace === undefined ? "identities" : `identities for namespace ${namespace}`,
      hint: "docs/vsphere.md describes how to create one.",
    };
  },
});

async function usableIn(
  name: string,
  identities: readonly Identity[],
  client: Client,
): Promise<readonly Identity[]> {
  const { metadata } = await client.resource<KubeObject>(builtInResources.namespaces).get({ name });
  return identities.filter(({ spec }) => isNamespaceAllowed(spec?.allowedNamespaces, metadata));
}
