import type { StoreEntry, StoreKey } from "@rookery/kube";
import { StaleError } from "../errors.ts";
import { PastEvent } from "./history.ts";
import type { JournalRow } from "./journal.ts";
import type { Write } from "./store.ts";
import { StoredEntry } from "./stored-entry.ts";

interface BatchBase {
  readonly revision: number;
  readonly time: number;
  get(key: StoreKey): StoreEntry | undefined;
}

/** Writes that are committed together. Each sees the earlier ones. */
export class Batch {
  readonly rows: JournalRow[] = [];
  readonly events: PastEvent[] = [];
  readonly #before: BatchBase;
  readonly #changed = new Map<string, StoreEntry | undefined>();

  constructor(before: BatchBase) {
    this.#before = before;
  }

  /** The entry after the commit. Throws a StaleError. */
  add(write: Write): StoreEntry {
    const { object, resource, namespace, name } = write;
    const path = `${resource}/${namespace}/${name}`;
    const previous = this.#changed.has(path) ? this.#changed.get(path) : this.#before.get(write);
    if ((previous?.revision ?? 0) !== write.expected) throw new StaleError(previous);

    const revision = this.#before.revision + this.events.length + 1;
    const entry = object && StoredEntry.of(write, revision, object);
    const event = new PastEvent({ revision, entry, previous }, this.#before.time);
    const result = entry ?? event.deleted;
    if (!result) throw new StaleError(undefined);

    this.#changed.set(path, entry);
    this.events.push(event);
    const { time } = this.#before;
    const before = previous?.revision ?? 0;
    this.rows.push({
      resource,
      namespace,
      name,
      revision,
      previous: before,
      time,
      bytes: entry?.bytes,
    });
    return result;
  }
}
