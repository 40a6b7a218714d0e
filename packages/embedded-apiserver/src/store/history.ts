import { CompactedError } from "../errors.ts";
import type { PastEvent } from "./past-event.ts";

/** Of an empty store, so that the resourceVersion of its lists is not "0", which means "any". */
export const firstRevision = 1;

/** What was written after the revision to which it is compacted, without a gap. */
export class History {
  #events: PastEvent[] = [];
  #compacted: number;
  #replacedBytes = 0;

  constructor(compacted: number) {
    this.#compacted = compacted;
  }

  /** The oldest revision of which it is known what was there. */
  get compacted(): number {
    return this.#compacted;
  }

  get length(): number {
    return this.#events.length;
  }

  /** Bytes of objects that are there no longer, and are kept for this only. */
  get replacedBytes(): number {
    return this.#replacedBytes;
  }

  push(event: PastEvent): void {
    this.#events.push(event);
    this.#replacedBytes += event.previous?.bytes.length ?? 0;
  }

  /** All, or the first so many. Throws a CompactedError where some of them are forgotten. */
  after(revision: number, limit = Number.POSITIVE_INFINITY): readonly PastEvent[] {
    const isKnown = revision >= this.#compacted || this.#compacted === firstRevision;
    if (!isKnown) throw new CompactedError(revision, this.#compacted);
    const start = Math.max(revision - this.#compacted, 0);
    return this.#events.slice(start, start + limit);
  }

  compact(revision: number): void {
    if (revision <= this.#compacted) return;
    const forgotten = this.#events.splice(0, revision - this.#compacted);
    for (const { previous } of forgotten) this.#replacedBytes -= previous?.bytes.length ?? 0;
    this.#compacted = revision;
  }

  /** The newest revision that is no younger than a time. */
  revisionAt(time: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.time ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return this.#compacted + low;
  }
}
