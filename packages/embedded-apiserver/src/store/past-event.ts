import type { StoreEntry, StoreEvent } from "@rookery/kube";
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
