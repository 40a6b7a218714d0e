import { type Client, createClientOver } from "@rookery/client";
import {
  InvalidMappingError,
  mappingFromFlags,
  renameGroups,
  replace,
} from "@rookery/group-suffix";
import { compose } from "@rookery/http";

/** All problems of an API group suffix; "" stands for the default suffix. */
export function suffixProblems(apiGroupSuffix: string): readonly string[] {
  try {
    mappingFromFlags({ apiGroupSuffix });
    return [];
  } catch (error) {
    if (!(error instanceof InvalidMappingError)) throw error;
    return error.problems.map((problem) => `--api-group-suffix: ${problem}`);
  }
}

/** The name of a default group under a suffix. */
export function renamedGroup(group: string, suffix: string): string {
  return (suffix && replace(group, suffix)) || group;
}

/** A client for the default names of groups, which it renames to those of the suffix. */
export function renamedClient(client: Client, apiGroupSuffix: string): Client {
  const interceptor = renameGroups({ mapping: mappingFromFlags({ apiGroupSuffix }) });
  if (interceptor === undefined) return client;
  const { namespace } = client;
  return createClientOver(compose(client.handler, interceptor), { namespace });
}
