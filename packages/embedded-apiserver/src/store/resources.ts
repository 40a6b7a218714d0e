import type { StoreEntry, StoreEvent, StoreKey } from "@rookery/kube";
import { SortedEntries } from "./sorted-entries.ts";

const none = new SortedEntries();

/** What is there now. */
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
