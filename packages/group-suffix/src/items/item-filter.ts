import type { RenameStream } from "../body-renamer.ts";
import { encodingOf } from "../interceptor/media-type.ts";
import { JsonListFilter } from "./json-list-filter.ts";
import { JsonWatchFilter } from "./json-watch-filter.ts";
import { ProtobufListFilter } from "./protobuf-list-filter.ts";
import { ProtobufWatchFilter } from "./protobuf-watch-filter.ts";

/** Whether objects of a namespace pass; "" stands for cluster-scoped objects. */
export type KeepNamespace = (namespace: string) => boolean;

/** Encrypts a token. */
export type SealToken = (token: string) => string;

/** Removes objects from a stream. Buffers at most one object. */
export interface ItemFilter extends RenameStream {
  readonly passed: number;
  readonly dropped: number;
}

export interface ItemFilterOptions {
  readonly contentType: string | undefined;
  /** Whether the body is a sequence of events, or one list or Table. */
  readonly isWatch: boolean;
  readonly keep: KeepNamespace;
  /** Seals the `continue` token of a list, which may name a removed object. */
  readonly seal: SealToken;
}

/**
 * Removes objects by namespace from lists, Tables and watches. Seals `continue` of a list's or
 * Status' metadata and removes `remainingItemCount`. Everything else is unchanged:
 * resourceVersions, bookmarks and errors. Removes objects with an unknown namespace. Undefined for
 * an unreadable encoding.
 */
export function createItemFilter(options: ItemFilterOptions): ItemFilter | undefined {
  const { contentType, isWatch, keep, seal } = options;
  switch (contentType === undefined ? "unknown" : encodingOf(contentType)) {
    case "json":
      return isWatch ? new JsonWatchFilter(keep) : new JsonListFilter(keep, seal);
    case "protobuf":
      return isWatch ? undefined : new ProtobufListFilter(keep, seal);
    case "protobufWatch":
      return isWatch ? new ProtobufWatchFilter(keep) : undefined;
    default:
      return undefined;
  }
}
