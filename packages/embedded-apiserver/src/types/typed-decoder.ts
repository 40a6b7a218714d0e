import type { TypedDecoder } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { type GoType, goTypeOf, jsonFields } from "./go-types.ts";
import { readerOf } from "./readers.ts";
import { Reading } from "./reading.ts";

/** Puts what was filled in into the place that it has in its type; gives the value back, or another. */
type Order = (value: unknown) => unknown;

const orders = new WeakMap<GoType, Order>();

/** Puts the fields of an object, and of all in it, in the order in which Go writes them. */
function orderFields(object: object, type: GoType): object {
  return orderOf(type)?.(object) as object;
}

/** undefined where there is nothing to put in order. */
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

/** Made when it is first used: types may be recursive. */
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

/** What the type does not have comes last. */
function sorted(
  object: Record<string, unknown>,
  places: ReadonlyMap<string, { readonly index: number }>,
): [string, unknown][] {
  const indexOf = (name: string) => places.get(name)?.index ?? Number.MAX_SAFE_INTEGER;
  return Object.entries(object).toSorted(([a], [b]) => indexOf(a) - indexOf(b));
}

/** Kinds of these are stored as JSON, all others as Protobuf. */
const storedAsJson = /^k8s\.io\/(?:apiextensions-apiserver|kube-aggregator)\//;

/**
 * Reads bodies of a kind as kube-apiserver does, which has its Go type compiled in: the result is
 * what it would write after it was read, defaulted and stored. Its fields are in their order, empty
 * ones left out or written as nothing, as their type says; quantities, times and bytes are in
 * canonical form. Throws an UnknownTypeError; the decoder throws DecodeErrors with Go's words.
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
