import type { TypedDecoder } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { type GoType, goTypeOf, jsonFields } from "./go-types.ts";
import { readerOf } from "./readers.ts";
import { Reading } from "./reading.ts";

/** Sorts the fields of a value like its type. Returns the value or a sorted copy. */
type Order = (value: unknown) => unknown;

const orders = new WeakMap<GoType, Order>();

/** Sorts the fields of an object and of nested objects in the order of Go. */
function orderFields(object: object, type: GoType): object {
  return orderOf(type)?.(object) as object;
}

/** Undefined for types without fields. */
function orderOf(type: GoType): Order | undefined {
  if (type.kind === "struct") return structOrderOf(type);
  const inside =
    type.element && type.kind !== "schemaOrStrings" ? orderOf(type.element) : undefined;
  if (inside === undefined || type.kind === "pointer") return inside;
  return type.kind === "slice" || type.kind === "map" ? eachPart(inside) : undefined;
}

function eachPart(order: Order): Order {
  return (parts) => {
    if (typeof parts !== "object" || parts === null) return parts;
    const holder = parts as Record<string, unknown>;
    for (const key of Object.keys(holder)) put(holder, key, order(holder[key]));
    return parts;
  };
}

function put(holder: Record<string, unknown>, key: string, value: unknown): void {
  if (holder[key] !== value) holder[key] = value;
}

/** Created on first use, because types can be recursive. */
function structOrderOf(type: GoType): Order {
  let order = orders.get(type);
  if (order === undefined) {
    let made: Order | undefined;
    order = (value) => {
      made ??= structOrder(type);
      return made(value);
    };
    orders.set(type, order);
  }
  return order;
}

function structOrder(type: GoType): Order {
  const fields = jsonFields(type);
  const places = new Map(
    fields.map(({ json, type: part }, index) => [json, { index, order: orderOf(part) }]),
  );
  return (value) => {
    if (typeof value !== "object" || value === null) return value;
    const object = value as Record<string, unknown>;
    let last = -1;
    let isSorted = true;
    for (const name of Object.keys(object)) {
      const place = places.get(name);
      if (place?.order) put(object, name, place.order(object[name]));
      isSorted &&= place !== undefined && place.index > last;
      last = place?.index ?? last;
    }
    return isSorted ? object : Object.fromEntries(sorted(object, places));
  };
}

/** Unknown fields come last. */
function sorted(
  object: Record<string, unknown>,
  places: ReadonlyMap<string, { readonly index: number }>,
): [string, unknown][] {
  const indexOf = (name: string) => places.get(name)?.index ?? Number.MAX_SAFE_INTEGER;
  return Object.entries(object).toSorted(([a], [b]) => indexOf(a) - indexOf(b));
}

/** Kinds of these packages are stored as JSON, all others as Protobuf. */
const storedAsJson = /^k8s\.io\/(?:apiextensions-apiserver|kube-aggregator)\//;

/**
 * Decodes bodies of a built-in kind like kube-apiserver: the result equals the object after decoding,
 * defaulting and storing. Fields are in the order of Go, empty ones are omitted or null, and quantities,
 * times and bytes are canonical. Throws an UnknownTypeError. The decoder throws DecodeErrors with Go's
 * messages.
 */
export function typedDecoder(
  goType: string,
  defaults?: (object: KubeObject) => void,
): TypedDecoder {
  const type = goTypeOf(goType);
  const read = readerOf(type);
  const keepsEmpty = storedAsJson.test(goType);
  return (value, literals) => {
    const reading = new Reading(keepsEmpty, literals);
    const object = read(value, reading) as ReturnType<TypedDecoder>["object"];
    const unknownFields = reading.finish();
    if (defaults === undefined) return { object, unknownFields };
    defaults(object as unknown as KubeObject);
    return { object: orderFields(object, type) as typeof object, unknownFields };
  };
}
