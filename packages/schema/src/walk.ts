import { isArray, isObject, type JSONObject, type JSONValue } from "./json.ts";

/** What to do with a field: keep it (changed or not), or `DROP` it. */
export const DROP: unique symbol = Symbol("drop");
export type Changed = JSONValue | typeof DROP;

/**
 * Applies a change to the fields of an object or the items of a list. Returns the value itself
 * where nothing changed, otherwise a copy; the given value is never written to.
 */
export function mapFields(
  value: JSONObject,
  change: (key: string, field: JSONValue) => Changed,
): JSONObject {
  const entries = Object.entries(value);
  let changed = false;
  const kept: [string, JSONValue][] = [];
  for (const [key, field] of entries) {
    const result = change(key, field);
    if (result !== field) changed = true;
    if (result !== DROP) kept.push([key, result]);
  }
  return changed ? Object.fromEntries(kept) : value;
}

export function mapItems(
  value: readonly JSONValue[],
  change: (item: JSONValue, index: number) => JSONValue,
): readonly JSONValue[] {
  const items = value.map(change);
  return items.some((item, index) => item !== value[index]) ? items : value;
}

/** As the two above, for a value that may be either or neither. */
export function mapParts(
  value: JSONValue,
  fields: (key: string, field: JSONValue) => Changed,
  items: (item: JSONValue, index: number) => JSONValue,
): JSONValue {
  if (isObject(value)) return mapFields(value, fields);
  return isArray(value) ? mapItems(value, items) : value;
}
