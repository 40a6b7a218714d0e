import type { StoreEntry, StoreEvent, StoreReader } from "@rookery/kube";
import { onAbort } from "../clock/abort.ts";
import type { Request } from "./request.ts";
import type { Source } from "./source.ts";

export interface StoreSourceOptions {
  readonly store: StoreReader;
  /** The store's name of it, such as "namespaces" or "deployments.apps". */
  readonly resource: string;
  /** The requests for an entry in its current state or, after a deletion, in its last state. */
  readonly requestsOf: (entry: StoreEntry, event?: StoreEvent) => readonly Request[];
}

/** Adds requests for all entries of a resource in a store, and for every change of them. */
export function createStoreSource({ store, resource, requestsOf }: StoreSourceOptions): Source {
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
      onAbort(signal, () => subscription.close());
    },
  };
}

/** A request for the entry itself. */
export function requestForEntry({ namespace, name }: StoreEntry): readonly Request[] {
  return [{ namespace, name }];
}

/** A request for the namespace of the entry. */
export function requestForNamespace({ namespace }: StoreEntry): readonly Request[] {
  return [{ namespace: "", name: namespace }];
}
