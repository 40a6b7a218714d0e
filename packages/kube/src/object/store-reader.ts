import type { KubeObject } from "./object.ts";

export interface StoreKey {
  /** The plural with its group, as in "deployments.apps" or "pods"; all versions share it. */
  readonly resource: string;
  /** "" for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** An object at one revision, in the storage version of its kind. */
export interface StoreEntry extends StoreKey {
  /** The revision of the write; equals metadata.resourceVersion. */
  readonly revision: number;
  /** Deeply frozen; the same instance as long as it is referenced. */
  readonly object: KubeObject;
  /** JSON without line breaks. */
  readonly bytes: Uint8Array;
}

export interface StoreEvent {
  readonly revision: number;
  /** Undefined after a deletion. */
  readonly entry: StoreEntry | undefined;
  /** The state before; undefined for a new object. */
  readonly previous: StoreEntry | undefined;
  /** After a deletion: the last state with the revision of the deletion, as watchers receive it. */
  readonly deleted: StoreEntry | undefined;
}

export interface StorePage {
  readonly entries: readonly StoreEntry[];
  /** The revision of all entries. */
  readonly revision: number;
}

export interface StoreSubscription {
  close(): void;
}

/**
 * Objects with one global revision, for readers in the same process. Reads come from memory and
 * see exactly the writes that have resolved.
 */
export interface StoreReader {
  /** The newest readable write. */
  readonly revision: number;
  get(key: StoreKey): StoreEntry | undefined;
  /**
   * All objects of a resource, or of one namespace, at a revision (now by default). Throws a
   * CompactedError where the store no longer has the revision.
   */
  list(resource: string, options?: { namespace?: string; revision?: number }): StorePage;
  /**
   * Reports every write after a revision, in order, for one resource or for all ("*"). Reports
   * past writes before it returns. Throws a CompactedError. The listener must neither throw nor
   * block.
   */
  watch(resource: string, from: number, listener: (event: StoreEvent) => void): StoreSubscription;
}

/** All objects of a resource, or of one namespace. Callers must not change them. */
export function storedObjects<T extends object = KubeObject>(
  store: StoreReader,
  resource: string,
  namespace?: string,
): readonly T[] {
  const { entries } = store.list(resource, namespace === undefined ? {} : { namespace });
  return entries.map(({ object }) => object as T);
}

/** Callers must not change the object. */
export function storedObject<T extends object = KubeObject>(
  store: StoreReader,
  key: StoreKey,
): T | undefined {
  return store.get(key)?.object as T | undefined;
}
