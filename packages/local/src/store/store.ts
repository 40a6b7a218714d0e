import type { KubeObject } from "@rookery/kube";

/** Where an object lies. */
export interface StoreKey {
  /** The plural with its group, as in "deployments.apps" or "pods": all versions share it. */
  readonly resource: string;
  /** "" for kinds that have none. */
  readonly namespace: string;
  readonly name: string;
}

/** An object as it was at one revision, in the version in which its kind is stored. */
export interface Entry extends StoreKey {
  /** Of the write that made it so; its metadata.resourceVersion says the same. */
  readonly revision: number;
  /** Deeply frozen. The same one every time, as long as anyone holds it. */
  readonly object: KubeObject;
  /** Its JSON, without a line break. */
  readonly bytes: Uint8Array;
}

export interface Write extends StoreKey {
  /** The revision of the entry that this takes the place of; 0 where there must be none. */
  readonly expected: number;
  /**
   * Without a resourceVersion, or with any: the store says its own. Undefined deletes. Not to be
   * changed any more.
   */
  readonly object: KubeObject | undefined;
}

export interface StoreEvent {
  readonly revision: number;
  /** Undefined where it was deleted. */
  readonly entry: Entry | undefined;
  /** What was there before; undefined where it is new. */
  readonly previous: Entry | undefined;
  /** Where it was deleted: its last state under the revision of its deletion, as watchers are told. */
  readonly deleted: Entry | undefined;
}

export interface EntryPage {
  /** In the order of `comparePlaces`: by namespace, then name. */
  readonly entries: readonly Entry[];
  /** At which all of them were so. */
  readonly revision: number;
}

export interface Subscription {
  close(): void;
}

/**
 * Objects with one global revision. Reads are from memory and see every write that has resolved, and
 * no other. A write that has resolved survives the end of the process, however that comes about.
 */
export interface Store extends AsyncDisposable {
  /** Of the newest write that can be read. */
  readonly revision: number;
  get(key: StoreKey): Entry | undefined;
  /**
   * All of a resource, or those of one namespace, as they were at a revision (now, unless told
   * otherwise; none that is yet to come). Throws a CompactedError where it is no longer known what was there then.
   */
  list(resource: string, options?: { namespace?: string; revision?: number }): EntryPage;
  /**
   * Resolves when the write is durable, with the new entry, or with the deleted one under its new
   * revision. Rejects with a StaleError where `expected` does not hold.
   */
  write(write: Write): Promise<Entry>;
  /**
   * Tells of every write after a revision, in order, as soon as it can be read: of one resource, or
   * of all ("*"). What lies in the past is told at once, before it returns. Throws a CompactedError.
   * The listener must not throw and must not take long: it queues.
   */
  watch(resource: string, from: number, listener: (event: StoreEvent) => void): Subscription;
  /** The first so many writes after a revision, in order, of all resources. Throws a CompactedError. */
  past(after: number, limit: number): readonly StoreEvent[];
  /** Forgets what was before a revision. What is there now stays. */
  compact(revision: number): Promise<void>;
}
