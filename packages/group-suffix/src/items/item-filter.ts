import type { RenameStream } from "../body-renamer.ts";
import { encodingOf } from "../interceptor/media-type.ts";
import { JsonListFilter } from "./json-list-filter.ts";
import { JsonWatchFilter } from "./json-watch-filter.ts";
import { ProtobufListFilter } from "./protobuf-list-filter.ts";
import { ProtobufWatchFilter } from "./protobuf-watch-filter.ts";

/** Whether objects of a namespace pass; "" is that of cluster-scoped ones. */
export type KeepNamespace = (namespace: string) => boolean;

/** Makes a token of which its holder learns nothing. */
export type SealToken = (token: string) => string;

/** A body on its way, without the objects of some namespaces. Held back is one object at most. */
export interface ItemFilter extends RenameStream {
  /** How many objects have passed so far, and how many have not. */
  readonly passed: number;
  readonly dropped: number;
}

export interface ItemFilterOptions {
  readonly contentType: string | undefined;
  /** Whether the body is events, one after another; else it is one list or Table. */
  readonly isWatch: boolean;
  readonly keep: KeepNamespace;
  /** What takes the place of a list's `continue` token, which may name an object that is dropped. */
  readonly seal: SealToken;
}

/**
 * Drops objects by their namespace from lists, Tables and watches. Of a list's metadata, or of that of a
 * Status, `continue` is sealed and `remainingItemCount`, which counts what is dropped, is left out.
 * Everything else stays as the server sent it: resourceVersions, bookmarks and errors. An object whose
 * namespace cannot be told is dropped. Undefined where nobody here reads the encoding.
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
