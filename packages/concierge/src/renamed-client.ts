import { type Client, createClientOver } from "@rookery/client";
import { mappingFromFlags, renameGroups } from "@rookery/group-suffix";
import { compose } from "@rookery/http";

/**
 * A client that has the default groups where the cluster has those of the suffix, so that whoever uses
 * it knows only the default names. Without a suffix it is the very client that came in.
 */
export function renamedClient(client: Client, apiGroupSuffix: string): Client {
  const interceptor = renameGroups({ mapping: mappingFromFlags({ apiGroupSuffix }) });
  if (interceptor === undefined) return client;
  const { namespace } = client;
  return createClientOver(compose(client.handler, interceptor), { namespace });
}
