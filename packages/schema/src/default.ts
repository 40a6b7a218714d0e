import { isArray, isObject, type JSONObject, type JSONValue } from "./json.ts";
import type { SchemaNode } from "./schema-node.ts";
import type { StructuralSchema } from "./structural-schema.ts";
import { mapItems } from "./walk.ts";

/**
 * Sets the defaults of a schema, in lists and maps too, as kube-apiserver does after pruning and
 * when it reads from the store. Returns the same object where nothing is missing.
 */
export function applyDefaults({ root }: StructuralSchema, object: JSONObject): JSONObject {
  return defaultValue(object, root) as JSONObject;
}

function defaultValue(value: JSONValue, node: SchemaNode | undefined): JSONValue {
  if (!node) return value;
  if (isObject(value)) return defaultObject(value, node);
  if (!isArray(value)) return value;
  return mapItems(value, (item) => defaultValue(replaceNull(item, node.items), node.items));
}

function defaultObject(value: JSONObject, node: SchemaNode): JSONObject {
  const entries = new Map(Object.entries(value));
  for (const [name, property] of node.properties ?? []) {
    if (property.default === undefined) continue;
    const field = entries.get(name);
    if (field === undefined || (field === null && !property.nullable)) {
      entries.set(name, property.default);
    }
  }
  for (const [key, field] of entries) {
    const property = node.properties?.get(key);
    const values = node.additionalProperties?.schema;
    entries.set(
      key,
      property ? defaultValue(field, property) : defaultValue(replaceNull(field, values), values),
    );
  }
  return isUnchanged(value, entries) ? value : Object.fromEntries(entries);
}

/** A null that is not allowed becomes the default of its schema. */
function replaceNull(value: JSONValue, node: SchemaNode | undefined): JSONValue {
  return value === null && node && !node.nullable ? (node.default ?? null) : value;
}

function isUnchanged(value: JSONObject, entries: ReadonlyMap<string, JSONValue>): boolean {
  if (Object.keys(value).length !== entries.size) return false;
  for (const [key, field] of entries) if (value[key] !== field) return false;
  return true;
}
