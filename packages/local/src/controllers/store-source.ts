import type { Request, Source } from "@rookery/runtime";
import type { Entry, Store, StoreEvent } from "../store/store.ts";

export interface StoreSourceOptions {
  readonly store: Store;
  /** Such as "namespaces". */
  readonly resource: string;
  /** What has to be looked at because of an entry, as it is or, where it has gone, was. */
  readonly requestsOf: (entry: Entry, event?: StoreEvent) => readonly Request[];
}

/** Requests from all that lies in the store, and from every change of it. */
export function storeSource({ store, resource, requestsOf }: StoreSourceOptions): Source {
  return {
    name: resource,
    start(queue, signal) {
      const { entries, revision } = store.list(resource);
      for (const entry of entries) for (const request of requestsOf(entry)) queue.add(request);
      const subscription = store.watch(resource, revision, (event) => {
        const entry = event.entry ?? event.previous;
        if (entry === undefined) return;
        for (const request of requestsOf(entry, event)) queue.add(request);
      });
      signal.addEventListener("abort", () => subscription.close(), { once: true });
    },
  };
}

/** The entry itself. */
export function requestForEntry({ namespace, name }: Entry): readonly Request[] {
  return [{ namespace, name }];
}

/** The namespace that the entry lies in. */
export function requestForNamespace({ namespace }: Entry): readonly Request[] {
  return [{ namespace: "", name: namespace }];
}
