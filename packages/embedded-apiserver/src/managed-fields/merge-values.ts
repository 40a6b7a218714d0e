import { mergeLists } from "./merge-lists.ts";
import {
  type MapSchema,
  type MergeSchema,
  schemaOfKey,
  shapeIn,
  shapeOf,
  untypedAtomic,
} from "./merge-schema.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * An object with what another one, that says only some fields, wants of it. Nothing goes. Lists are
 * ordered as the second says where it says so. Throws a ListItemError.
 */
export function mergeValues(schema: MergeSchema, live: unknown, wanted: unknown): unknown {
  const shape = shapeIn(schema, wanted === undefined ? live : wanted);
  if (shape === "map" && schema.map && !schema.map.isAtomic) {
    const [left, right] = [mapOf(live), mapOf(wanted)];
    if (hasKeys(left) || hasKeys(right)) return mergeMaps(schema.map, left, right);
  }
  if (shape === "list" && schema.list && schema.list.type !== "atomic") {
    const [left, right] = [listOf(live), listOf(wanted)];
    if (left.length > 0 || right.length > 0) {
      const { list } = schema;
      return mergeLists({ list, live: left, wanted: right }, (item, change) =>
        mergeValues(list.items, item, change),
      );
    }
  }
  return wanted === undefined ? live : wanted;
}

function mapOf(value: unknown): Json {
  return shapeOf(value) === "map" ? (value as Json) : {};
}

function hasKeys(map: Json): boolean {
  for (const _ in map) return true;
  return false;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function mergeMaps(schema: MapSchema, live: Json, wanted: Json): Json | undefined {
  const merged: [string, unknown][] = [];
  const own = (map: Json, key: string) => (Object.hasOwn(map, key) ? map[key] : undefined);
  for (const key of new Set([...Object.keys(live), ...Object.keys(wanted)])) {
    const part = schemaOfKey(schema, key) ?? untypedAtomic;
    const value = mergeValues(part, own(live, key), own(wanted, key));
    if (value !== undefined) merged.push([key, value]);
  }
  return merged.length > 0 ? Object.fromEntries(merged) : undefined;
}
