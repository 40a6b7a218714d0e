import { deepEqualJson, getOwn, isArray, isObject, type JSONValue } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Finds list items by their keys, in lists of type map only. */
export class MapList {
  readonly #keys: readonly string[];
  readonly #items = new Map<string, JSONValue>();

  constructor(node: SchemaNode, items: readonly JSONValue[]) {
    const isMap = node.type === "array" && node.listType === "map";
    this.#keys = isMap ? node.listMapKeys : [];
    if (this.#keys.length === 0) return;
    for (const item of items) {
      const key = this.#keyOf(item);
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item);
    }
  }

  /** The item with the same keys. */
  get(item: JSONValue): JSONValue | undefined {
    const key = this.#keys.length === 0 ? undefined : this.#keyOf(item);
    return key === undefined ? undefined : this.#items.get(key);
  }

  /** Undefined unless all keys exist and are scalars. */
  #keyOf(item: JSONValue): string | undefined {
    if (!isObject(item)) return undefined;
    const values = this.#keys.map((key) => getOwn(item, key));
    const scalar = values.every((value) => ["string", "number", "boolean"].includes(typeof value));
    return scalar ? JSON.stringify(values) : undefined;
  }
}

/**
 * A value of an update and its old value. Unchanged values may stay invalid, so that a schema can
 * become stricter (ratcheting).
 */
export class Correlation {
  readonly value: JSONValue;
  readonly old: JSONValue;
  readonly #node: SchemaNode;
  #unchanged: boolean | undefined;
  #oldItems: MapList | undefined;
  readonly #children = new Map<string | number, Correlation | undefined>();

  constructor(value: JSONValue, old: JSONValue, node: SchemaNode) {
    this.value = value;
    this.old = old;
    this.#node = node;
  }

  /** A field that existed before and is in the schema. */
  key(name: string): Correlation | undefined {
    return this.#child(name, () => this.#correlateKey(name));
  }

  /** An item of a list of type map; items of other lists cannot be correlated. */
  index(index: number): Correlation | undefined {
    return this.#child(index, () => this.#correlateIndex(index));
  }

  #child(key: string | number, make: () => Correlation | undefined): Correlation | undefined {
    const known = this.#children.get(key);
    if (known || this.#children.has(key)) return known;
    const child = make();
    this.#children.set(key, child);
    return child;
  }

  #correlateKey(name: string): Correlation | undefined {
    if (!isObject(this.value) || !isObject(this.old)) return undefined;
    const [value, old] = [getOwn(this.value, name), getOwn(this.old, name)];
    if (value === undefined || old === undefined) return undefined;
    const node = this.#node.properties?.get(name) ?? this.#node.additionalProperties?.schema;
    return node && new Correlation(value, old, node);
  }

  #correlateIndex(index: number): Correlation | undefined {
    if (!isArray(this.value) || !isArray(this.old)) return undefined;
    const { items } = this.#node;
    const value = this.value[index];
    if (!items || value === undefined) return undefined;
    this.#oldItems ??= new MapList(this.#node, this.old);
    const old = this.#oldItems.get(value);
    return old === undefined ? undefined : new Correlation(value, old, items);
  }

  /** Ignores the order of a list of type map. */
  get unchanged(): boolean {
    this.#unchanged ??= this.#compare();
    return this.#unchanged;
  }

  #compare(): boolean {
    if (isArray(this.value) && isArray(this.old)) return this.#compareArrays(this.value, this.old);
    if (isObject(this.value) && isObject(this.old)) {
      const keys = Object.keys(this.value);
      if (keys.length !== Object.keys(this.old).length) return false;
      return keys.every((key) => this.key(key)?.unchanged === true);
    }
    return deepEqualJson(this.value, this.old);
  }

  #compareArrays(value: readonly JSONValue[], old: readonly JSONValue[]): boolean {
    if (value.length !== old.length) return false;
    if (this.#node.listType !== "map") return deepEqualJson(value, old);
    return value.every((_, index) => this.index(index)?.unchanged === true);
  }
}
