import { type Client, createClientOver } from "@rookery/client";
import { mappingFromFlags, renameGroups } from "@rookery/group-suffix";
import { compose } from "@rookery/http";

/**
 * A client that turns the groups of the suffix into the default ones, so that its users need only the default
 * names. Without a suffix it is the given client.
 */
export function renamedClient(client: Client, apiGroupSuffix: string): Client {
  const interceptor = renameGroups({ mapping: mappingFromFlags({ apiGroupSuffix }) });
  if (interceptor === undefined) return client;
  const { namespace } = client;
  return createClientOver(compose(client.handler, interceptor), { namespace });
}
