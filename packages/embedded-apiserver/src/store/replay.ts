import type { StoreEntry, StoreEvent, StoreKey } from "@rookery/kube";
import { History, PastEvent } from "./history.ts";
import type { Journal, JournalRow } from "./journal.ts";
import { SortedEntries } from "./sorted-entries.ts";
import { StoredEntry } from "./stored-entry.ts";

interface Replayed {
  readonly resources: Resources;
  readonly history: History;
  readonly revision: number;
}

/** Rebuilds the current objects and the history from a journal. */
export function replay(journal: Journal): Replayed {
  const { compacted } = journal;
  const resources = new Resources();
  const history = new History(compacted);
  const texts = new Map<string, string>();
  let revision = compacted;
  for (const row of journal.rows()) {
    const event = eventOf(sharingTexts(row, texts), resources);
    if (row.revision > compacted) {
      assertFollows(row, { revision, previous: event.previous?.revision ?? 0 });
      history.push(event);
      revision = row.revision;
    }
    resources.apply(event);
  }
  return { resources, history, revision };
}

function eventOf(row: JournalRow, resources: Resources): PastEvent {
  const { revision, bytes, time } = row;
  const entry = bytes && new StoredEntry(row, revision, bytes);
  return new PastEvent({ revision, entry, previous: resources.get(row) }, time);
}

function assertFollows(row: JournalRow, before: { revision: number; previous: number }): void {
  if (row.revision === before.revision + 1 && row.previous === before.previous) return;
  throw new Error(
    `revision ${row.revision} does not follow revision ${before.revision}: the file is damaged; restore it from a copy, or remove the folder to start over`,
  );
}

/** Interns the few distinct resources and namespaces. */
function sharingTexts(row: JournalRow, texts: Map<string, string>): JournalRow {
  const shared = (text: string) => {
    const found = texts.get(text) ?? text;
    texts.set(text, found);
    return found;
  };
  return { ...row, resource: shared(row.resource), namespace: shared(row.namespace) };
}

const none = new SortedEntries();

/** The current objects by resource. */
export class Resources {
  readonly #byName = new Map<string, SortedEntries>();

  get(key: StoreKey): StoreEntry | undefined {
    return this.#of(key.resource).get(key);
  }

  list(resource: string, namespace: string | undefined): StoreEntry[] {
    const entries = this.#of(resource);
    return namespace ? entries.inNamespace(namespace) : entries.all();
  }

  apply({ entry, previous }: Pick<StoreEvent, "entry" | "previous">): void {
    if (!entry) {
      if (previous) this.#of(previous.resource).delete(previous);
      return;
    }
    const entries = this.#byName.get(entry.resource) ?? new SortedEntries();
    this.#byName.set(entry.resource, entries);
    entries.set(entry);
  }

  #of(resource: string): SortedEntries {
    return this.#byName.get(resource) ?? none;
  }
}
