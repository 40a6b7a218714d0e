import { deepEqualJson, getOwn, type JSONObject, type JSONValue } from "../../json.ts";
import type { SchemaNode } from "../../schema-node.ts";
import { escapePropertyName, unescapePropertyName } from "../escaping.ts";
import type { Meter } from "../meter.ts";
import { equalNonNull } from "../values/equality.ts";
import { type CelError, CelMap, NO_SUCH_OVERLOAD, type Value } from "../values/value.ts";
import { withTypeAndObjectMeta } from "./object-meta.ts";

/** Converts the parts of a list or object. */
export type ToValue = (data: JSONValue, node: SchemaNode) => Value;

export class SchemaMap extends CelMap {
  readonly #data: JSONObject;
  readonly #node: SchemaNode;
  readonly #toValue: ToValue;
  /** Objects have escaped names; maps have plain keys. */
  readonly #isObject: boolean;
  readonly #made = new Map<string, Value>();
  #keys: readonly string[] | undefined;

  constructor(data: JSONObject, node: SchemaNode, toValue: ToValue) {
    super();
    this.#data = data;
    this.#node = node.embeddedResource ? withTypeAndObjectMeta(node) : node;
    this.#toValue = toValue;
    this.#isObject = this.#node.properties !== undefined;
  }

  get size(): number {
    return this.#names.length;
  }

  get #names(): readonly string[] {
    this.#keys ??= Object.keys(this.#data);
    return this.#keys;
  }

  #schemaOf(key: string): SchemaNode | undefined {
    const { properties, additionalProperties } = this.#node;
    return properties ? properties.get(key) : additionalProperties?.schema;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== "string") return NO_SUCH_OVERLOAD;
    const name = this.#isObject ? unescapePropertyName(key) : key;
    return name === undefined ? undefined : this.#findRaw(name);
  }

  /** Cached, because rules read parts repeatedly. */
  #findRaw(name: string): Value | undefined {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    const value = this.#make(name);
    if (typeof value === "object") this.#made.set(name, value);
    return value;
  }

  #make(name: string): Value | undefined {
    const data = getOwn(this.#data, name);
    // A null field of an object counts as absent.
    if (data === undefined || (this.#isObject && data === null)) return undefined;
    const schema = this.#schemaOf(name);
    return schema && this.#toValue(data, schema);
  }

  *keys(): Iterable<Value> {
    for (const key of this.#names) {
      if (!this.#schemaOf(key)) continue;
      yield this.#isObject ? (escapePropertyName(key) ?? key) : key;
    }
  }

  equals(other: Value, meter: Meter): boolean | CelError {
    if (!(other instanceof CelMap)) return NO_SUCH_OVERLOAD;
    if (this.size !== other.size) return false;
    for (const key of this.#names) {
      const same = this.#sameEntry(key, other, meter);
      if (same !== true) return same;
    }
    return true;
  }

  #sameEntry(key: string, other: CelMap, meter: Meter): boolean | CelError {
    if (!this.#schemaOf(key)) {
      if (!(other instanceof SchemaMap)) return NO_SUCH_OVERLOAD;
      const theirs = getOwn(other.#data, key);
      return theirs === undefined || deepEqualJson(this.#data[key], theirs, () => meter.work(1));
    }
    const [mine, theirs] = [this.find(key), other.find(key)];
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return equalNonNull(mine, theirs, meter);
  }
}
