import type { KubeObject, StoreEntry, StoreEvent, StoreKey, StoreReader } from "@rookery/kube";
import { StaleError } from "../errors.ts";

export interface Write extends StoreKey {
  /** The revision of the entry that this takes the place of; 0 where there must be none. */
  readonly expected: number;
  /**
   * Without a resourceVersion, or with any: the store says its own. Undefined deletes. Not to be
   * changed any more.
   */
  readonly object: KubeObject | undefined;
}

/**
 * Objects that can be read and written. A write that has resolved survives the end of the process,
 * however that comes about.
 */
export interface Store extends StoreReader, AsyncDisposable {
  /**
   * Resolves when the write is durable, with the new entry, or with the deleted one under its new
   * revision. Rejects with a StaleError where `expected` does not hold.
   */
  write(write: Write): Promise<StoreEntry>;
  /** The first so many writes after a revision, in order, of all resources. Throws a CompactedError. */
  past(after: number, limit: number): readonly StoreEvent[];
  /** Forgets what was before a revision. What is there now stays. */
  compact(revision: number): Promise<void>;
}

/** Repeats an attempt, which has to read fresh data each time, until its write is not stale. */
export async function retryOnStale<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleError)) throw error;
    }
  }
}
