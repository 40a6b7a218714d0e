import { type KubeObject, objectKeyOf } from "@rookery/kube";
import type { CreateEvent, DeleteEvent, UpdateEvent } from "../controller/event.ts";
import type { ObjectStore } from "./object-store.ts";
/** A change of an object in a cache. */
export type ObjectEvent<T> = CreateEvent<T> | UpdateEvent<T> | DeleteEvent<T>;

/** Changes an object before it is cached, or returns another in its place. */
export type Transform<T> = (object: T) => T;

/** A copy of the objects of one list and watch. Its functions never throw. */
export interface Replica<T> {
  /** Stores the state of an object. */
  put(object: T): void;
  /** Removes an object, of which this is the last state. */
  remove(object: T): void;
  /** Starts a list of all objects. */
  beginReplacement(): Replacement<T>;
}

/** A list in progress. The objects of a list that is never finished are stored all the same. */
export interface Replacement<T> {
  put(object: T): void;
  remove(object: T): void;
  /** The list is complete: objects that are not in it were deleted. */
  finish(): void;
}

export interface StoreReplicaOptions<T extends KubeObject> {
  readonly store: ObjectStore<T>;
  /** The namespace of the list and watch; all by default. */
  readonly namespace?: string;
  readonly transform?: Transform<T>;
  /** Called after the store has changed; must not throw. */
  readonly emit: (event: ObjectEvent<T>) => void;
  /** Called when the first list is complete. */
  readonly onFilled?: () => void;
}

/**
 * Updates a store, and emits an event for each change. An object with a known uid and resourceVersion is no change. An
 * object that replaces another one of its name is a deletion and a creation.
 */
export class StoreReplica<T extends KubeObject> implements Replica<T> {
  readonly #options: StoreReplicaOptions<T>;
  #filled = false;

  constructor(options: StoreReplicaOptions<T>) {
    this.#options = options;
  }

  put(object: T): void {
    const { store } = this.#options;
    const old = store.get(objectKeyOf(object));
    if (old !== undefined && isSameState(old, object)) return;
    const { transform } = this.#options;
    const kept = asReadOnly(transform ? transform(object) : object);
    if (old === undefined) this.#create(kept);
    else if (old.metadata.uid === kept.metadata.uid) this.#update(old, kept);
    else {
      this.#delete(old, true);
      this.#create(kept);
    }
  }

  remove(object: T): void {
    const known = this.#options.store.get(objectKeyOf(object));
    if (known === undefined) return;
    const { transform } = this.#options;
    this.#delete(known, false, asReadOnly(transform ? transform(object) : object));
  }

  beginReplacement(): Replacement<T> {
    const { store, namespace } = this.#options;
    const missing = new Set(store.list(namespace === undefined ? {} : { namespace }));
    const markAsListed = (object: T) => {
      const known = store.get(objectKeyOf(object));
      if (known !== undefined) missing.delete(known);
    };
    return {
      put: (object) => {
        markAsListed(object);
        this.put(object);
      },
      remove: (object) => {
        markAsListed(object);
        this.remove(object);
      },
      finish: () => {
        for (const object of missing) this.#delete(object, true);
        if (!this.#filled) this.#options.onFilled?.();
        this.#filled = true;
      },
    };
  }

  #create(object: T): void {
    this.#options.store.set(object);
    this.#options.emit({ type: "create", object, isInInitialList: !this.#filled });
  }

  #update(objectOld: T, objectNew: T): void {
    this.#options.store.set(objectNew);
    this.#options.emit({ type: "update", objectOld, objectNew });
  }

  #delete(known: T, deleteStateUnknown: boolean, object = known): void {
    this.#options.store.delete(objectKeyOf(known));
    this.#options.emit({ type: "delete", object, deleteStateUnknown });
  }
}

function isSameState(a: KubeObject, b: KubeObject): boolean {
  const { uid, resourceVersion } = a.metadata;
  if (resourceVersion === undefined) return false;
  return uid === b.metadata.uid && resourceVersion === b.metadata.resourceVersion;
}

/**
 * Freezes an object from JSON at every depth and returns it, so that a write to a shared object of the cache is an error.
 *
 * Its empty objects are replaced by a shared one: managed fields consist of little else, and take a third of the memory.
 * For an object of 2 KB both together take 6 µs; parsing it takes 20 µs.
 */
export function asReadOnly<T extends object>(value: T): T {
  freeze(value);
  return value;
}

const empty: object = Object.freeze({});

function freeze(value: object): void {
  if (Object.isFrozen(value)) return;
  if (Array.isArray(value)) freezeItems(value);
  else freezeFields(value as Record<string, unknown>);
  Object.freeze(value);
}

/** By index: `for … in` is many times slower on arrays. */
function freezeItems(items: unknown[]): void {
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (typeof item !== "object" || item === null) continue;
    if (isEmptyObject(item)) items[index] = empty;
    else freeze(item);
  }
}

function freezeFields(fields: Record<string, unknown>): void {
  for (const key in fields) {
    const field = fields[key];
    if (typeof field !== "object" || field === null) continue;
    if (isEmptyObject(field)) fields[key] = empty;
    else freeze(field);
  }
}

function isEmptyObject(value: object): boolean {
  if (Array.isArray(value)) return false;
  for (const _ in value) return false;
  return true;
}
