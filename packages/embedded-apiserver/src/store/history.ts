import type { StoreEntry, StoreEvent } from "@rookery/kube";
import { CompactedError } from "../errors.ts";
import { comparePlaces } from "./sorted-entries.ts";
import { StoredEntry } from "./stored-entry.ts";

/** An event in the history. */
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

/** The revision of an empty store: a list's resourceVersion must not be "0", which means "any". */
export const firstRevision = 1;

/** All events after the compacted revision, without gaps. */
export class History {
  #events: PastEvent[] = [];
  #compacted: number;
  #replacedBytes = 0;

  constructor(compacted: number) {
    this.#compacted = compacted;
  }

  /** The oldest readable revision. */
  get compacted(): number {
    return this.#compacted;
  }

  get length(): number {
    return this.#events.length;
  }

  /** Bytes of replaced objects that only the history holds. */
  get replacedBytes(): number {
    return this.#replacedBytes;
  }

  push(event: PastEvent): void {
    this.#events.push(event);
    this.#replacedBytes += event.previous?.bytes.length ?? 0;
  }

  /** The first events after a revision. Throws a CompactedError. */
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

  /** The newest revision up to a time. */
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

/** The entries of a list before some events. */
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
