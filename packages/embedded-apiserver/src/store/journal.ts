import type { StoreKey } from "@rookery/kube";
import { firstRevision } from "./history.ts";

export interface JournalRow extends StoreKey {
  readonly revision: number;
  /** The revision that it replaces; 0 for a new object. */
  readonly previous: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** Undefined for a deletion. */
  readonly bytes: Uint8Array | undefined;
}

/** The persistent part of a store. */
export interface Journal {
  /** The oldest readable revision. */
  readonly compacted: number;
  /** Current objects and the history since compaction, by revision. */
  rows(): Iterable<JournalRow>;
  /** Appends all rows or none. Throws a StoreWriteError. */
  append(rows: readonly JournalRow[]): void;
  /** Drops rows that were replaced or deleted up to a revision. Throws a StoreWriteError. */
  compact(revision: number): void;
  /** Called while idle, for slow maintenance. */
  checkpoint(): void;
  close(): void;
}

/** For in-memory stores. */
export const noJournal: Journal = {
  compacted: firstRevision,
  rows: () => [],
  append: () => {},
  compact: () => {},
  checkpoint: () => {},
  close: () => {},
};
