import type { TransportOptions } from "@rookery/client";
import type { FieldRule, RenameOptions } from "@rookery/group-suffix";
import type { Interceptor } from "@rookery/http";
import { UnsupportedFlagError } from "../errors.ts";

/** What --api-group-suffix means to a program: which groups are its own, in its code. */
export interface ApiGroupOptions {
  /** What its own API groups end with where the flag says nothing, such as "pinniped.dev". */
  readonly defaultSuffix: string;
  /** Fields of its own kinds that name a group. */
  readonly rules?: readonly FieldRule[];
}

/** What renames the program's groups, on its way to the API server and on the API server's to it. */
export interface GroupRenaming {
  readonly client: readonly Interceptor[];
  readonly webhooks: readonly Interceptor[];
}

const none: GroupRenaming = { client: [], webhooks: [] };

/**
 * What the flag asks for; nothing where it is empty or the default. Rejects with an UnsupportedFlagError
 * where the program has not said which suffix is its own, and an InvalidMappingError.
 */
export async function groupRenaming(
  apiGroupSuffix: string,
  apiGroup: ApiGroupOptions | undefined,
  onWarning: (text: string) => void,
): Promise<GroupRenaming> {
  if (apiGroupSuffix === "") return none;
  if (apiGroup === undefined) throw new UnsupportedFlagError("--api-group-suffix");
  // Most managers have no such groups, and need not hold this in memory.
  const { mappingFromFlags, renameCallbacks, renameGroups } = await import("@rookery/group-suffix");
  const { defaultSuffix: virtualSuffix, rules } = apiGroup;
  const mapping = mappingFromFlags({ apiGroupSuffix, virtualSuffix });
  if (mapping.pairs.length === 0) return none;
  const options: RenameOptions = { mapping, onWarning, ...(rules && { rules }) };
  return {
    client: [renameGroups(options)].filter((interceptor) => interceptor !== undefined),
    webhooks: [renameCallbacks(options)].filter((interceptor) => interceptor !== undefined),
  };
}

/** The same options where there is nothing to add. What a program adds itself sees its own names. */
export function renamedTransport(
  transport: TransportOptions,
  { client }: GroupRenaming,
): TransportOptions {
  if (client.length === 0) return transport;
  return { ...transport, interceptors: [...(transport.interceptors ?? []), ...client] };
}
