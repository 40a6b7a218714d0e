import type { StoreEntry, StoreEvent } from "@rookery/kube";
import { CompactedError } from "../errors.ts";
import { comparePlaces } from "./sorted-entries.ts";
import { StoredEntry } from "./stored-entry.ts";

/** An event that the history keeps. */
export class PastEvent implements StoreEvent {
  readonly revision: number;
  readonly entry: StoreEntry | undefined;
  readonly previous: StoreEntry | undefined;
  /** In milliseconds since 1970. */
  readonly time: number;
  #deleted: StoreEntry | undefined;

  constructor(event: Pick<StoreEvent, "revision" | "entry" | "previous">, time: number) {
    this.revision = event.revision;
    this.entry = event.entry;
    this.previous = event.previous;
    this.time = time;
  }

  get deleted(): StoreEntry | undefined {
    if (this.entry || !this.previous) return undefined;
    this.#deleted ??= StoredEntry.of(this.previous, this.revision, this.previous.object);
    return this.#deleted;
  }
}

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

interface Part {
  readonly resource: string;
  readonly namespace: string | undefined;
}

/** What a list was before some events: it undoes them. */
export function entriesBefore(
  entries: readonly StoreEntry[],
  since: readonly StoreEvent[],
  part: Part,
): readonly StoreEntry[] {
  const before = new Map<string, StoreEntry | undefined>();
  for (const { entry, previous } of since) {
    const changed = entry ?? previous;
    if (!changed || !isIn(changed, part)) continue;
    const path = pathOf(changed);
    if (!before.has(path)) before.set(path, previous);
  }
  if (before.size === 0) return entries;
  const kept = entries.filter((entry) => !before.has(pathOf(entry)));
  const undone = [...before.values()].filter((entry) => entry !== undefined);
  return [...kept, ...undone].sort(comparePlaces);
}

function isIn(entry: StoreEntry, { resource, namespace }: Part): boolean {
  return entry.resource === resource && (!namespace || entry.namespace === namespace);
}

function pathOf({ namespace, name }: StoreEntry): string {
  return `${namespace}/${name}`;
}
