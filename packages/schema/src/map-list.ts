import { getOwn, isObject, type JSONValue } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Finds the items of a list by their keys; only lists of type map have any. */
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

  /** The item with the same keys as this one. */
  get(item: JSONValue): JSONValue | undefined {
    const key = this.#keys.length === 0 ? undefined : this.#keyOf(item);
    return key === undefined ? undefined : this.#items.get(key);
  }

  /** All keys must be there and be scalars. */
  #keyOf(item: JSONValue): string | undefined {
    if (!isObject(item)) return undefined;
    const values = this.#keys.map((key) => getOwn(item, key));
    const scalar = values.every((value) => ["string", "number", "boolean"].includes(typeof value));
    return scalar ? JSON.stringify(values) : undefined;
  }
}
