import type { TransportOptions } from "@rookery/client";
import type { FieldRule, RenameOptions } from "@rookery/group-suffix";
import type { Interceptor } from "@rookery/http";
import { UnsupportedFlagError } from "../errors.ts";

/** The API groups of a program that --api-group-suffix renames. */
export interface ApiGroupOptions {
  /** The suffix of its own API groups without the flag, such as "pinniped.dev". */
  readonly defaultSuffix: string;
  /** The fields of its own kinds that contain a group. */
  readonly rules?: readonly FieldRule[];
}

/** The interceptors that rename groups in requests to the API server, and in its calls of webhooks. */
export interface GroupRenaming {
  readonly client: readonly Interceptor[];
  readonly webhooks: readonly Interceptor[];
}

const none: GroupRenaming = { client: [], webhooks: [] };

/**
 * The interceptors for a suffix; none if it is empty or the default. Rejects with an UnsupportedFlagError if the program
 * has no API groups of its own, and with an InvalidMappingError.
 */
export async function groupRenaming(
  apiGroupSuffix: string,
  apiGroup: ApiGroupOptions | undefined,
  onWarning: (text: string) => void,
): Promise<GroupRenaming> {
  if (apiGroupSuffix === "") return none;
  if (apiGroup === undefined) throw new UnsupportedFlagError("--api-group-suffix");
  // Loaded on demand: most managers do not rename groups.
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

/** Adds the interceptors behind those of the program, which sees its own names. */
export function renamedTransport(
  transport: TransportOptions,
  { client }: GroupRenaming,
): TransportOptions {
  if (client.length === 0) return transport;
  return { ...transport, interceptors: [...(transport.interceptors ?? []), ...client] };
}
