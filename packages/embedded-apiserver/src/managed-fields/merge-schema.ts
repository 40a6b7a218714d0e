import { quote } from "@rookery/kube";
import { ListItemError } from "../errors.ts";
import { keyElement, type PathElement, type Scalar, valueElement } from "./path-element.ts";

/**
 * How a value is merged, and by which parts of it fields are owned. It may be of any of the types
 * that are given; parts are made when they are first asked for, since types refer to themselves.
 */
export interface MergeSchema {
  readonly scalar?: ScalarType;
  readonly list?: ListSchema;
  readonly map?: MapSchema;
}

export type ScalarType = "numeric" | "string" | "boolean" | "untyped";

export interface ListSchema {
  /**
   * "atomic" is owned as a whole; the items of a "map" are told apart by keys, those of a "set" by
   * what they are.
   */
  readonly type: "atomic" | "set" | "map";
  /** Of the items of a "map". */
  readonly keys: readonly string[];
  readonly items: MergeSchema;
}

export interface MapSchema {
  /** Owned as a whole. */
  readonly isAtomic: boolean;
  /** The field of that name, where it is declared. */
  field(name: string): MergeField | undefined;
  /** Of any other key; undefined where there may be none. */
  readonly others: MergeSchema | undefined;
  /** Nothing is declared of it: it is what its value says. */
  readonly isDeduced: boolean;
}

export interface MergeField {
  /** How it is found in its map; made once, since it is asked for all the time. */
  readonly element: PathElement;
  readonly schema: MergeSchema;
  /** The value of a key that an item leaves out. */
  readonly default?: unknown;
}

/** Anything, owned as a whole. */
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

/** Anything: maps field by field, lists as a whole. */
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

/** The schema of a key of a map; undefined where it may not have it. */
export function schemaOfKey(map: MapSchema, key: string): MergeSchema | undefined {
  return map.field(key)?.schema ?? map.others;
}

export type Shape = "scalar" | "list" | "map";

/** What a value is; undefined for null and for what is not there. */
export function shapeOf(value: unknown): Shape | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "object") return "scalar";
  return Array.isArray(value) ? "list" : "map";
}

/**
 * As which of its types a schema takes a value. Where the value is none of these, or null, the first
 * that there is of map, scalar and list.
 */
export function shapeIn(schema: MergeSchema, value: unknown): Shape | undefined {
  const shape = shapeOf(value);
  if (shape && schema[shape]) return shape;
  if (schema.map) return "map";
  if (schema.scalar) return "scalar";
  return schema.list && "list";
}

/** Whether a schema takes two values as the same type, so that they can be compared part by part. */
export function haveSameShape(schema: MergeSchema, a: unknown, b: unknown): boolean {
  return narrowedTo(schema, a) === narrowedTo(schema, b);
}

/** The only type that is left of a schema for a value; "any" where several are. */
function narrowedTo(schema: MergeSchema, value: unknown): Shape | "any" | undefined {
  const shape = shapeOf(value);
  if (shape && schema[shape]) return shape;
  const types = (["map", "scalar", "list"] as const).filter((each) => schema[each]);
  return types.length > 1 ? "any" : types[0];
}

/** How an item of a list of type "set" or "map" is found again. Throws a ListItemError. */
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
