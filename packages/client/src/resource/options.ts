/** Of every request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** In milliseconds, instead of the transport's; 0 waits without end. */
  readonly timeoutMs?: number;
}

/** What a resourceVersion asks for: exactly this state, or one that is no older. */
export type ResourceVersionMatch = "Exact" | "NotOlderThan";

export interface GetOptions extends RequestOptions {
  /** "0" takes what the server has in its cache. */
  readonly resourceVersion?: string;
}

/** A selector as it is written in a query, or what writes it that way. */
type SelectorText = string | { toString(): string };

/** Which objects of a resource. */
interface Selection {
  /** All namespaces where absent. */
  readonly namespace?: string;
  readonly labelSelector?: SelectorText;
  readonly fieldSelector?: SelectorText;
}

export interface ListOptions extends Selection, RequestOptions {
  /** How many objects at most come in one answer. */
  readonly limit?: number;
  /** From the answer before this one. */
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
  /** After which the server gives up. */
  readonly timeoutSeconds?: number;
}

export interface WatchOptions extends Selection {
  readonly signal?: AbortSignal | undefined;
  /** Where to go on; from any recent state where absent. */
  readonly resourceVersion?: string;
  /** After which the server ends the watch; it chooses 30 to 60 minutes where absent. */
  readonly timeoutSeconds?: number;
  /** Whether BOOKMARK events may come; they do unless told otherwise. */
  readonly allowWatchBookmarks?: boolean;
  /** Begins with an ADDED event for every object, then a BOOKMARK that `isInitialEventsEnd`. */
  readonly sendInitialEvents?: boolean;
  /** The longest event that is taken, in bytes. */
  readonly maxEventBytes?: number;
  /** Called when the server has accepted the watch. */
  readonly onOpen?: () => void;
}

export interface WriteOptions extends RequestOptions {
  /** Everything happens but the storing. */
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** What the server does about unknown or doubled fields. It warns where absent. */
  readonly fieldValidation?: "Strict" | "Warn" | "Ignore";
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes fields over from other managers instead of failing with a Conflict. */
  readonly force?: boolean;
}

export interface DeleteOptions extends RequestOptions {
  readonly dryRun?: boolean;
  readonly propagationPolicy?: "Orphan" | "Background" | "Foreground";
  readonly gracePeriodSeconds?: number;
  /** Fails with a Conflict where the object is not, or no longer, this one. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

export interface DeleteCollectionOptions extends DeleteOptions, ListOptions {}
