import type { FieldPath } from "@rookery/kube";
import { isArray, isObject, type JSONValue } from "../json.ts";
import type { SchemaNode } from "../schema-node.ts";

interface Part {
  readonly node: SchemaNode;
  readonly value: JSONValue;
  readonly path: FieldPath;
}

/** The results of `visit` for the items or fields of a value that have a schema. */
export function flatMapParts<T>(
  { node, value, path }: Part,
  visit: (node: SchemaNode, value: JSONValue, path: FieldPath) => readonly T[],
): T[] {
  if (isArray(value)) {
    const { items } = node;
    return items ? value.flatMap((item, i) => visit(items, item, path.index(i))) : [];
  }
  if (!isObject(value)) return [];
  const values = node.additionalProperties?.schema;
  return Object.entries(value).flatMap(([key, field]) => {
    const property = node.properties?.get(key);
    if (property) return visit(property, field, path.child(key));
    return values ? visit(values, field, path.key(key)) : [];
  });
}
