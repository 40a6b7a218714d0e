import { createHash } from "node:crypto";
import type { KubeObject, StoreEvent } from "@rookery/kube";
import type { Store, Write } from "../../src/store/store.ts";

/** A ConfigMap to be written. */
export function configMap(name: string, change: Partial<Write> & { data?: string } = {}): Write {
  const { data = "", namespace = "default", expected = 0 } = change;
  const object: KubeObject & { data: object } = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name },
    data: { value: data },
  };
  return { resource: "configmaps", namespace, name, expected, object, ...without(change) };
}

function without({ data: _, ...change }: Partial<Write> & { data?: string }): Partial<Write> {
  return change;
}

/** The events that were told of, as they come. */
export function recordEvents(store: Store, resource: string, from: number): StoreEvent[] {
  const events: StoreEvent[] = [];
  store.watch(resource, from, (event) => events.push(event));
  return events;
}

export function namesOf(store: Store, options?: { namespace?: string; revision?: number }) {
  return store
    .list("configmaps", options)
    .entries.map(({ namespace, name }) => `${namespace}/${name}`);
}

/** Tells whether a text is whole. */
export function checksum(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
