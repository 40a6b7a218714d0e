import { quote } from "@rookery/kube";
import { ListItemError } from "../errors.ts";
import { keyElement, type PathElement, type Scalar, valueElement } from "./path-element.ts";

/**
 * How a value is merged and owned. A schema may allow several types. Parts are created lazily,
 * since types are recursive.
 */
export interface MergeSchema {
  readonly scalar?: ScalarType;
  readonly list?: ListSchema;
  readonly map?: MapSchema;
}

export type ScalarType = "numeric" | "string" | "boolean" | "untyped";

export interface ListSchema {
  /**
   * "atomic" lists have one owner; the items of a "map" are identified by keys, those of a "set" by
   * value.
   */
  readonly type: "atomic" | "set" | "map";
  /** The keys of a "map". */
  readonly keys: readonly string[];
  readonly items: MergeSchema;
}

export interface MapSchema {
  /** Whether the map has one owner as a whole. */
  readonly isAtomic: boolean;
  field(name: string): MergeField | undefined;
  /** The schema of undeclared keys; undefined if there may be none. */
  readonly others: MergeSchema | undefined;
  /** Whether nothing is declared, so that the value decides. */
  readonly isDeduced: boolean;
}

export interface MergeField {
  /** Its path element; created once, since it is used often. */
  readonly element: PathElement;
  readonly schema: MergeSchema;
  /** The default of a key field that an item omits. */
  readonly default?: unknown;
}

/** Any value, owned as a whole. */
export const untypedAtomic: MergeSchema = {
  scalar: "untyped",
  get list() {
    return untypedList;
  },
  map: {
    isAtomic: true,
    isDeduced: true,
    field: () => undefined,
    get others() {
      return untypedAtomic;
    },
  },
};

const untypedList: ListSchema = { type: "atomic", keys: [], items: untypedAtomic };

/** Any value: maps field by field, lists as a whole. */
export const deduced: MergeSchema = {
  scalar: "untyped",
  list: untypedList,
  map: {
    isAtomic: false,
    isDeduced: true,
    field: () => undefined,
    get others() {
      return deduced;
    },
  },
};

/** The schema of a map key; undefined for a key that is not allowed. */
export function schemaOfKey(map: MapSchema, key: string): MergeSchema | undefined {
  return map.field(key)?.schema ?? map.others;
}

export type Shape = "scalar" | "list" | "map";

/** The shape of a value; undefined for null and undefined. */
export function shapeOf(value: unknown): Shape | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "object") return "scalar";
  return Array.isArray(value) ? "list" : "map";
}

export type Json = Readonly<Record<string, unknown>>;

const emptyMap: Json = {};

/** A value as a map; empty if it is none. */
export function mapOf(value: unknown): Json {
  return shapeOf(value) === "map" ? (value as Json) : emptyMap;
}

export function hasKeys(map: Json): boolean {
  for (const _ in map) return true;
  return false;
}

/** A value as a list; empty if it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The shape in which a schema reads a value: its own if allowed, else the first allowed of map,
 * scalar and list.
 */
export function shapeIn(schema: MergeSchema, value: unknown): Shape | undefined {
  const shape = shapeOf(value);
  if (shape && schema[shape]) return shape;
  if (schema.map) return "map";
  if (schema.scalar) return "scalar";
  return schema.list && "list";
}

/** Whether a schema reads two values as the same shape, so that their parts can be compared. */
export function haveSameShape(schema: MergeSchema, a: unknown, b: unknown): boolean {
  return narrowedTo(schema, a) === narrowedTo(schema, b);
}

/** The only shape that a schema allows for a value; "any" for several. */
function narrowedTo(schema: MergeSchema, value: unknown): Shape | "any" | undefined {
  const shape = shapeOf(value);
  if (shape && schema[shape]) return shape;
  const types = (["map", "scalar", "list"] as const).filter((each) => schema[each]);
  return types.length > 1 ? "any" : types[0];
}

/** The path element of an item of a "set" or "map" list. Throws a ListItemError. */
export function elementOfItem(list: ListSchema, item: unknown): PathElement {
  return list.type === "map" ? elementOfKeys(list, item) : elementOfValue(item);
}

function elementOfKeys({ keys, items }: ListSchema, item: unknown): PathElement {
  if (item === null || item === undefined) {
    throw new ListItemError("associative list with keys may not have a null element");
  }
  if (shapeOf(item) !== "map") {
    throw new ListItemError("associative list with keys may not have non-map elements");
  }
  const found: [string, unknown][] = [];
  for (const key of keys) {
    const value = Object.hasOwn(item, key)
      ? (item as Record<string, unknown>)[key]
      : items.map?.field(key)?.default;
    if (value !== undefined) found.push([key, value]);
  }
  if (found.length > 0) return keyElement(found.length > 1 ? found.sort(byName) : found);
  const names = `[${keys.map(quote).join(" ")}]`;
  throw new ListItemError(
    `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
  );
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function elementOfValue(item: unknown): PathElement {
  switch (shapeOf(item)) {
    case "map":
      throw new ListItemError("associative list without keys has an element that's a map type");
    case "list":
      throw new ListItemError("not supported: associative list with lists as elements");
    case undefined:
      throw new ListItemError(
        "associative list without keys has an element that's an explicit null",
      );
    default:
      return valueElement(item as Scalar);
  }
}
