import type { StoreKey } from "@rookery/kube";
import { firstRevision } from "./history.ts";

/** A write as it is kept. */
export interface JournalRow extends StoreKey {
  readonly revision: number;
  /** The revision that it took the place of; 0 where there was none. */
  readonly previous: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** Undefined where it deleted. */
  readonly bytes: Uint8Array | undefined;
}

/** Where a store keeps what has to outlive its process. */
export interface Journal {
  /** The oldest revision of which it is known what was there. */
  readonly compacted: number;
  /** What is there and what was since it was compacted, in order of revisions. */
  rows(): Iterable<JournalRow>;
  /** All of them or none: throws a StoreWriteError where they can't be kept. */
  append(rows: readonly JournalRow[]): void;
  /** Forgets what had been replaced or deleted by then. Throws a StoreWriteError. */
  compact(revision: number): void;
  /** For what takes time, while nobody writes. */
  rest(): void;
  close(): void;
}

/** For a store that lives in memory only. */
export const noJournal: Journal = {
  compacted: firstRevision,
  rows: () => [],
  append: () => {},
  compact: () => {},
  rest: () => {},
  close: () => {},
};
