import type { KubeObject, StoreEntry, StoreEvent, StoreKey, StoreReader } from "@rookery/kube";
import { StaleError } from "../errors.ts";

export interface Write extends StoreKey {
  /** The revision that this write replaces; 0 for a new object. */
  readonly expected: number;
  /** The store sets the resourceVersion. Undefined deletes. Must not change any more. */
  readonly object: KubeObject | undefined;
}

/** A readable and writable store. A resolved write survives the end of the process. */
export interface Store extends StoreReader, AsyncDisposable {
  /**
   * Resolves with the new entry once the write is durable; a deleted one has its new revision.
   * Rejects with a StaleError if `expected` does not match.
   */
  write(write: Write): Promise<StoreEntry>;
  /** The first writes after a revision, of all resources. Throws a CompactedError. */
  past(after: number, limit: number): readonly StoreEvent[];
  /** Drops the history before a revision. */
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
