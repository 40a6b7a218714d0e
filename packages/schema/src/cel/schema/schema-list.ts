import type { JSONValue } from "../../json.ts";
import type { SchemaNode } from "../../schema-node.ts";
import { escapePropertyName } from "../escaping.ts";
import type { Meter } from "../meter.ts";
import { equalNonNull } from "../values/equality.ts";
import { identityOf } from "../values/identity.ts";
import { CelError, CelList, CelMap, NO_SUCH_OVERLOAD, type Value } from "../values/value.ts";
import type { ToValue } from "./schema-map.ts";

/** A list of a schema; the list type defines equality and `+`. */
export class SchemaList extends CelList {
  readonly size: number;
  readonly #node: SchemaNode;
  readonly #element: (index: number) => Value;

  private constructor(size: number, node: SchemaNode, element: (index: number) => Value) {
    super();
    this.size = size;
    this.#node = node;
    this.#element = element;
  }

  static of(data: readonly JSONValue[], node: SchemaNode, toValue: ToValue): SchemaList {
    const { items } = node;
    if (!items) return new SchemaList(data.length, node, () => NO_SUCH_OVERLOAD);
    const made = new Map<number, Value>();
    return new SchemaList(data.length, node, (index) => {
      const known = made.get(index);
      if (known !== undefined) return known;
      const value = toValue(data[index] ?? null, items);
      if (typeof value === "object") made.set(index, value);
      return value;
    });
  }

  at(index: number): Value {
    return this.#element(index);
  }

  contains(element: Value, meter: Meter): boolean | CelError {
    let error: CelError | undefined;
    for (const each of this) {
      const same = equalNonNull(each, element, meter);
      if (same === true) return true;
      if (same instanceof CelError) error ??= same;
    }
    return error ?? false;
  }

  equals(other: Value, meter: Meter): boolean | CelError {
    if (!(other instanceof CelList)) return NO_SUCH_OVERLOAD;
    if (other.size !== this.size) return false;
    switch (this.#node.listType) {
      case "map":
        return this.#equalByKey(other, meter);
      case "set":
        return this.#equalAsSet(other, meter);
      default:
        return this.#equalInOrder(other, meter);
    }
  }

  #equalInOrder(other: CelList, meter: Meter): boolean | CelError {
    for (let i = 0; i < this.size; i++) {
      const same = equalNonNull(this.at(i), other.at(i), meter);
      if (same !== true) return same;
    }
    return true;
  }

  #equalAsSet(other: CelList, meter: Meter): boolean {
    const members = new Set([...this].map((each) => identify(each, meter)));
    return [...other].every((each) => members.has(identify(each, meter)));
  }

  #equalByKey(other: CelList, meter: Meter): boolean | CelError {
    const byKey = new Map([...this].map((each) => [this.#keyOf(each, meter), each] as const));
    for (const theirs of other) {
      const mine = byKey.get(this.#keyOf(theirs, meter));
      if (mine === undefined) return false;
      const same = equalNonNull(mine, theirs, meter);
      if (same !== true) return same;
    }
    return true;
  }

  /** The identity of an element: the key fields in a map list, else the whole element. */
  #keyOf(element: Value, meter: Meter): string {
    if (this.#node.listType !== "map") return identify(element, meter);
    const fields = this.#node.listMapKeys.map((key) => {
      const value =
        element instanceof CelMap ? element.find(escapePropertyName(key) ?? key) : undefined;
      return value === undefined ? "" : identify(value, meter);
    });
    return fields.join("\u0000");
  }

  /** Sets keep the first of equal elements, map lists the last. */
  add(other: CelList, meter: Meter): CelList {
    meter.work(2 * (this.size + other.size));
    const elements = [...this];
    const keyed = this.#node.listType === "set" || this.#node.listType === "map";
    const places = new Map(keyed ? elements.map((each, i) => [this.#keyOf(each, meter), i]) : []);
    for (const each of other) {
      const key = keyed ? this.#keyOf(each, meter) : "";
      const place = places.get(key);
      if (place === undefined) elements.push(each);
      else if (this.#node.listType === "map") elements[place] = each;
      if (place === undefined && this.#node.listType === "set")
        places.set(key, elements.length - 1);
    }
    return new SchemaList(elements.length, this.#node, (index) => elements[index] ?? null);
  }
}

function identify(value: Value, meter: Meter): string {
  const identity = identityOf(value);
  meter.work(4 + identity.length);
  return identity;
}
