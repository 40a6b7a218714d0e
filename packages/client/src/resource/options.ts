export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds, in place of the transport's; 0 means no limit. */
  readonly timeoutMs?: number;
}

/** Exactly this state, or one that is no older. */
export type ResourceVersionMatch = "Exact" | "NotOlderThan";

export interface GetOptions extends RequestOptions {
  /** "0" reads from the server's cache. */
  readonly resourceVersion?: string;
}

type SelectorText = string | { toString(): string };

interface Selection {
  /** All namespaces by default. */
  readonly namespace?: string;
  readonly labelSelector?: SelectorText;
  readonly fieldSelector?: SelectorText;
}

export interface ListOptions extends Selection, RequestOptions {
  /** The maximum number of objects in one response. */
  readonly limit?: number;
  /** From the previous response. */
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** The server's time limit. */
  readonly timeoutSeconds?: number;
}

export interface WatchOptions extends Selection {
  readonly signal?: AbortSignal | undefined;
  /** The start of the watch; any recent state by default. */
  readonly resourceVersion?: string;
  /** The server's time limit, 30 to 60 minutes by default. */
  readonly timeoutSeconds?: number;
  /** Whether BOOKMARK events are sent; true by default. */
  readonly allowWatchBookmarks?: boolean;
  /** Begins with an ADDED event for every object, then a BOOKMARK that `isInitialEventsEnd`. */
  readonly sendInitialEvents?: boolean;
  /** In bytes. */
  readonly maxEventBytes?: number;
  /** Called when the server has accepted the watch. */
  readonly onOpen?: () => void;
}

export interface WriteOptions extends RequestOptions {
  /** Validates without storing. */
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** How the server handles unknown and duplicate fields; warns by default. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes fields over from other managers instead of a Conflict. */
  readonly force?: boolean;
}

export interface DeleteOptions extends RequestOptions {
  readonly dryRun?: boolean;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  readonly gracePeriodSeconds?: number;
  /** Rejects with a Conflict for another object or version. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface DeleteCollectionOptions extends DeleteOptions, ListOptions {}
