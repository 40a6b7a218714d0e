import type { KubeObject } from "./object.ts";

/** Where an object is in a store. */
export interface StoreKey {
  /** The plural with its group, as in "deployments.apps" or "pods": all versions share it. */
  readonly resource: string;
  /** "" for kinds that have none. */
  readonly namespace: string;
  readonly name: string;
}

/** An object as it was at one revision, in the version in which its kind is stored. */
export interface StoreEntry extends StoreKey {
  /** Of the write that produced this state; metadata.resourceVersion has the same number. */
  readonly revision: number;
  /** Deeply frozen. The same one every time, as long as anyone holds it. */
  readonly object: KubeObject;
  /** Its JSON, without a line break. */
  readonly bytes: Uint8Array;
}

export interface StoreEvent {
  readonly revision: number;
  /** Undefined after a deletion. */
  readonly entry: StoreEntry | undefined;
  /** The state before; undefined for a new object. */
  readonly previous: StoreEntry | undefined;
  /** After a deletion: the last state under the revision of the deletion, as watchers receive it. */
  readonly deleted: StoreEntry | undefined;
}

export interface StorePage {
  /** Sorted by namespace, then name. */
  readonly entries: readonly StoreEntry[];
  /** The revision at which all entries had this state. */
  readonly revision: number;
}

export interface StoreSubscription {
  close(): void;
}

/**
 * Objects with one global revision, for readers in the same process. Reads are from memory and see
 * every write that has resolved, and no other.
 */
export interface StoreReader {
  /** Of the newest write that can be read. */
  readonly revision: number;
  get(key: StoreKey): StoreEntry | undefined;
  /**
   * All objects of a resource, or those of one namespace, at a revision (by default now; never in the
   * future). Throws a CompactedError where the store no longer has that revision.
   */
  list(resource: string, options?: { namespace?: string; revision?: number }): StorePage;
  /**
   * Reports every write after a revision, in order, as soon as it can be read: of one resource, or
   * of all ("*"). Past writes are reported before the call returns. Throws a CompactedError. The
   * listener must not throw and must not take long: it queues.
   */
  watch(resource: string, from: number, listener: (event: StoreEvent) => void): StoreSubscription;
}

/** All objects of a resource, or those of one namespace. Callers must not change them. */
export function storedObjects<T extends object = KubeObject>(
  store: StoreReader,
  resource: string,
  namespace?: string,
): readonly T[] {
  const { entries } = store.list(resource, namespace === undefined ? {} : { namespace });
  return entries.map(({ object }) => object as T);
}

/** Undefined where there is none. Callers must not change it. */
export function storedObject<T extends object = KubeObject>(
  store: StoreReader,
  key: StoreKey,
): T | undefined {
  return store.get(key)?.object as T | undefined;
}
