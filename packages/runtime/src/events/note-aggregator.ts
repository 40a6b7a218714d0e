import type { MonotonicClock } from "../clock/clock.ts";
import type { KubeEvent } from "./event.ts";
import { similarityKey } from "./event-key.ts";
import { LruMap } from "./lru-map.ts";
import { truncate } from "./make-event.ts";

interface Notes {
  readonly seen: Set<string>;
  lastSeenAt: number;
}

/** As client-go has it: the tenth note that differs within 10 minutes. */
const maxNotes = 10;
const windowMs = 600_000;
const prefix = "(combined from similar events): ";

/** An event and the key under which it is counted. */
export interface KeyedEvent {
  readonly key: string;
  readonly event: KubeEvent;
}

/** Puts events together that differ in their note alone, when there are too many of them. */
export class NoteAggregator {
  readonly #notes = new LruMap<Notes>(4096);
  readonly #clock: MonotonicClock;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  aggregate(event: KubeEvent): KeyedEvent {
    const key = similarityKey(event);
    const notes = this.#notes.get(key, () => ({ seen: new Set(), lastSeenAt: 0 }));
    const now = this.#clock.now();
    if (now - notes.lastSeenAt > windowMs) notes.seen.clear();
    notes.lastSeenAt = now;
    if (notes.seen.size < maxNotes - 1) notes.seen.add(event.note);
    if (notes.seen.has(event.note)) return { key: `${key} ${event.note}`, event };
    return { key, event: { ...event, note: truncate(prefix + event.note, 1024) } };
  }
}
