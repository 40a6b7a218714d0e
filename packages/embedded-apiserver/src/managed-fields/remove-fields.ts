import type { FieldSet } from "./field-set.ts";
import { elementOfItem } from "./list-item.ts";
import {
  type ListSchema,
  type MapSchema,
  type MergeSchema,
  schemaOfKey,
  shapeIn,
  shapeOf,
  untypedAtomic,
} from "./merge-schema.ts";
import { fieldElement } from "./path-element.ts";

type Json = Readonly<Record<string, unknown>>;

/** An object without some of its fields and items; null where nothing is left of it. */
export function removeFields(schema: MergeSchema, value: unknown, fields: FieldSet): unknown {
  const shape = shapeIn(schema, value);
  if (shape === "map" && schema.map) {
    if (shapeOf(value) !== "map" || schema.map.isAtomic) return null;
    return removeKeys(schema.map, value as Json, fields);
  }
  if (shape === "list" && schema.list) {
    if (!Array.isArray(value) || schema.list.type === "atomic") return null;
    return removeItems(schema.list, value, fields);
  }
  return value;
}

function removeKeys(schema: MapSchema, map: Json, fields: FieldSet): Json | null {
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(map)) {
    const node = fields.get(fieldElement(key));
    if (node?.isMember) continue;
    const part = schemaOfKey(schema, key) ?? untypedAtomic;
    kept.push([key, node ? removeFields(part, value, node.below) : value]);
  }
  return kept.length > 0 ? Object.fromEntries(kept) : null;
}

function removeItems(
  schema: ListSchema,
  list: readonly unknown[],
  fields: FieldSet,
): readonly unknown[] | null {
  const kept: unknown[] = [];
  for (const item of list) {
    const node = fields.get(elementOfItem(schema, item));
    if (node?.isMember) continue;
    kept.push(node ? removeFields(schema.items, item, node.below) : item);
  }
  return kept.length > 0 ? kept : null;
}
