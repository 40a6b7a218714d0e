import type { OwnerReference, StoreEntry, StoreEvent, StoreKey } from "@rookery/kube";

/** Which objects name an object as their owner, by its uid. Objects without owners take no room. */
export class OwnerIndex {
  readonly #dependents = new Map<string, Map<string, StoreKey>>();

  dependentsOf(uid: string): readonly StoreKey[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])];
  }

  add(entry: StoreEntry): void {
    for (const { uid } of ownersOf(entry)) {
      let dependents = this.#dependents.get(uid);
      if (dependents === undefined) {
        dependents = new Map();
        this.#dependents.set(uid, dependents);
      }
      const { resource, namespace, name } = entry;
      dependents.set(formatStoreKey(entry), { resource, namespace, name });
    }
  }

  remove(entry: StoreEntry): void {
    for (const { uid } of ownersOf(entry)) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(formatStoreKey(entry));
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
  }

  follow({ entry, previous }: StoreEvent): void {
    if (previous !== undefined) this.remove(previous);
    if (entry !== undefined) this.add(entry);
  }
}

export function ownersOf({ object }: Pick<StoreEntry, "object">): readonly OwnerReference[] {
  return object.metadata.ownerReferences ?? [];
}

function formatStoreKey({ resource, namespace, name }: StoreKey): string {
  return `${resource}\n${namespace}\n${name}`;
}
