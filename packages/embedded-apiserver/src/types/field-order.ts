import { type GoType, jsonFields } from "./go-types.ts";

/** Puts what was filled in into the place that it has in its type; gives the value back, or another. */
type Order = (value: unknown) => unknown;

const orders = new WeakMap<GoType, Order>();

/** Puts the fields of an object, and of all in it, in the order in which Go writes them. */
export function orderFields(object: object, type: GoType): object {
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
