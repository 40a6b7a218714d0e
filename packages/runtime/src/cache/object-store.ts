import type { KubeObject, LabelRequirement, ObjectKey, Selector } from "@rookery/kube";
import { IndexMissingError } from "../errors.ts";

/** The values of an object in an index; none if the object is not in it. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Finds objects by the uid of any of their owners. */
export const byOwnerUid: IndexFunction<KubeObject> = ({ metadata }) =>
  metadata.ownerReferences?.map(({ uid }) => uid) ?? [];

/** Finds objects by values that are computed from them. */
class ObjectIndex<T> {
  readonly #valuesOf: IndexFunction<T>;
  readonly #objects = new Map<string, Set<T>>();

  /** The function must return the same values for the same object, and never throw. */
  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf;
  }

  get(value: string): Iterable<T> {
    return this.#objects.get(value) ?? [];
  }

  add(object: T): void {
    for (const value of this.#valuesOf(object)) {
      const known = this.#objects.get(value);
      if (known === undefined) this.#objects.set(value, new Set([object]));
      else known.add(object);
    }
  }

  delete(object: T): void {
    for (const value of this.#valuesOf(object)) {
      const known = this.#objects.get(value);
      known?.delete(object);
      if (known?.size === 0) this.#objects.delete(value);
    }
  }
}

/** Selects objects; an absent field selects all. */
export interface ObjectQuery {
  readonly namespace?: string;
  readonly labels?: Selector<LabelRequirement>;
  readonly index?: { readonly name: string; readonly value: string };
}

/** Reads objects in memory. They are shared and frozen: change a `deepCopy`. */
export interface ObjectReader<T> {
  get(key: ObjectKey): T | undefined;
  /** Returns objects in no particular order. Throws an IndexMissingError for an unknown index. */
  list(query?: ObjectQuery): readonly T[];
}

/** The objects of one kind, by namespace and name, and by further indexes. */
export class ObjectStore<T extends KubeObject> implements ObjectReader<T> {
  readonly #namespaces = new Map<string, Map<string, T>>();
  readonly #indexes = new Map<string, ObjectIndex<T>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get({ namespace = "", name }: ObjectKey): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  list({ namespace, labels, index }: ObjectQuery = {}): readonly T[] {
    const found: T[] = [];
    for (const object of this.#candidates(namespace, index)) {
      if (labels && !labels.matches(object.metadata.labels ?? {})) continue;
      if (index && namespace !== undefined && namespaceOf(object) !== namespace) continue;
      found.push(object);
    }
    return found;
  }

  /** Adds an object, or replaces the object with its key. */
  set(object: T): void {
    const namespace = namespaceOf(object);
    const { name = "" } = object.metadata;
    let objects = this.#namespaces.get(namespace);
    if (objects === undefined) {
      objects = new Map();
      this.#namespaces.set(namespace, objects);
    }
    const old = objects.get(name);
    objects.set(name, object);
    if (old === undefined) this.#size++;
    for (const index of this.#indexes.values()) {
      if (old !== undefined) index.delete(old);
      index.add(object);
    }
  }

  delete({ namespace = "", name }: ObjectKey): void {
    const objects = this.#namespaces.get(namespace);
    const old = objects?.get(name);
    if (objects === undefined || old === undefined) return;
    objects.delete(name);
    if (objects.size === 0) this.#namespaces.delete(namespace);
    this.#size--;
    for (const index of this.#indexes.values()) index.delete(old);
  }

  /** Adds an index over all objects; replaces an index of the same name. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    const index = new ObjectIndex(valuesOf);
    for (const object of this.list()) index.add(object);
    this.#indexes.set(name, index);
  }

  #candidates(namespace: string | undefined, index: ObjectQuery["index"]): Iterable<T> {
    if (index !== undefined) return this.#index(index.name).get(index.value);
    if (namespace !== undefined) return this.#namespaces.get(namespace)?.values() ?? [];
    return this.#all();
  }

  *#all(): Iterable<T> {
    for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  #index(name: string): ObjectIndex<T> {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new IndexMissingError(name, [...this.#indexes.keys()]);
    return index;
  }
}

function namespaceOf({ metadata }: KubeObject): string {
  return metadata.namespace ?? "";
}
