import type { KubeObject } from "@rookery/kube";

/** The values under which an object is found in an index; none where it is not in it. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Finds objects by the uid of any of their owners. */
export const byOwnerUid: IndexFunction<KubeObject> = ({ metadata }) =>
  metadata.ownerReferences?.map(({ uid }) => uid) ?? [];

/** Objects by values that are computed from them. */
export class ObjectIndex<T> {
  readonly #valuesOf: IndexFunction<T>;
  readonly #objects = new Map<string, Set<T>>();

  /** The function must give the same values for the same object, and never throw. */
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
