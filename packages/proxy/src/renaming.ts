import { createGroupMapping } from "@rookery/group-suffix";
import type { Interceptor } from "@rookery/http";
import type { ProxyParts } from "./proxy-parts.ts";

/** What renames in each direction; undefined where the flags map nothing, so that it costs nothing. */
export interface Renaming {
  readonly groups: Interceptor | undefined;
  readonly callbacks: Interceptor | undefined;
}

export function createRenaming({ flags }: Pick<ProxyParts, "flags" | "logger">): Renaming {
  createGroupMapping([...flags.apiGroupSuffix, ...flags.map]);
  return { groups: undefined, callbacks: undefined };
}
