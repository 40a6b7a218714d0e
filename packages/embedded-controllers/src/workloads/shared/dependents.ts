import type { StoreEntry, StoreEvent, StoreReader } from "@rookery/kube";
import { controllerOf, type KubeObject } from "@rookery/kube";
import { complete, type Kind } from "./kinds.ts";
import type { Stored } from "./objects.ts";

/**
 * The objects of a kind by their controllers, so that a reconcile need not read a whole namespace. The
 * index follows the store without delay.
 */
export class Dependents<T extends Stored> {
  readonly kind: Kind<T>;
  readonly #store: StoreReader;
  readonly #groups = new Map<string, Map<string, T>>();

  constructor(store: StoreReader, kind: Kind<T>) {
    this.#store = store;
    this.kind = kind;
  }

  /** Follows until the signal is aborted. */
  start(signal: AbortSignal): void {
    const { entries, revision } = this.#store.list(this.kind.stored);
    for (const entry of entries) this.#add(entry);
    const subscription = this.#store.watch(this.kind.stored, revision, (event) =>
      this.#follow(event),
    );
    signal.addEventListener("abort", () => subscription.close(), { once: true });
  }

  /** The objects that an owner controls, by its uid. */
  of(owner: KubeObject): T[] {
    return [...(this.#groups.get(ownedKey(owner.metadata.uid ?? ""))?.values() ?? [])];
  }

  /** The objects of a namespace without a controller. */
  orphansIn(namespace: string): T[] {
    return [...(this.#groups.get(orphanedKey(namespace))?.values() ?? [])];
  }

  #follow({ entry, previous }: StoreEvent): void {
    if (previous !== undefined) this.#remove(previous);
    if (entry !== undefined) this.#add(entry);
  }

  #add(entry: StoreEntry): void {
    const key = groupKey(entry);
    const group = this.#groups.get(key) ?? new Map<string, T>();
    group.set(`${entry.namespace}/${entry.name}`, complete<T>(entry.object));
    this.#groups.set(key, group);
  }

  #remove(entry: StoreEntry): void {
    const key = groupKey(entry);
    const group = this.#groups.get(key);
    group?.delete(`${entry.namespace}/${entry.name}`);
    if (group?.size === 0) this.#groups.delete(key);
  }
}

function groupKey({ object, namespace }: StoreEntry): string {
  const controller = controllerOf(object);
  return controller === undefined ? orphanedKey(namespace) : ownedKey(controller.uid);
}

const ownedKey = (uid: string) => `uid/${uid}`;
const orphanedKey = (namespace: string) => `namespace/${namespace}`;
