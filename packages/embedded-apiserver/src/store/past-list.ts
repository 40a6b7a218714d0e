import type { StoreEntry, StoreEvent } from "@rookery/kube";
import { comparePlaces } from "./key-order.ts";

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
