import { isArray, isObject, type JSONObject, type JSONValue } from "./json.ts";

export const DROP: unique symbol = Symbol("drop");
export type Changed = JSONValue | typeof DROP;

/** Maps the fields of an object. Returns the same object where nothing changed. */
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

/** Maps the parts of an object or a list; returns other values unchanged. */
export function mapParts(
  value: JSONValue,
  fields: (key: string, field: JSONValue) => Changed,
  items: (item: JSONValue, index: number) => JSONValue,
): JSONValue {
  if (isObject(value)) return mapFields(value, fields);
  return isArray(value) ? mapItems(value, items) : value;
}
