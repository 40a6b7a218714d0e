import { emptySet, type FieldNode, type FieldSet, leaf } from "./field-set.ts";
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
import { fieldElement, type PathElement } from "./path-element.ts";

/** Every field and item that an object names. Throws a ListItemError. */
export function fieldsOfValue(schema: MergeSchema, value: unknown): FieldSet {
  return fieldsOf(schema, value)?.below ?? emptySet;
}

/** The field itself is a member where it is owned as a whole. */
function fieldsOf(schema: MergeSchema, value: unknown): FieldNode | undefined {
  const shape = shapeIn(schema, value);
  if (shape === "map" && schema.map && !schema.map.isAtomic) {
    return shapeOf(value) === "map" ? fieldsOfMap(schema.map, value as Json) : undefined;
  }
  if (shape === "list" && schema.list && schema.list.type !== "atomic") {
    return Array.isArray(value) ? fieldsOfList(schema.list, value) : undefined;
  }
  return leaf;
}

type Json = Readonly<Record<string, unknown>>;

function fieldsOfMap(schema: MapSchema, map: Json): FieldNode | undefined {
  const below = new Map<PathElement, FieldNode>();
  for (const key of Object.keys(map)) {
    const value = map[key];
    const node = fieldsOf(schemaOfKey(schema, key) ?? untypedAtomic, value);
    const isMember = isEmpty(value) || schema.field(key) === undefined;
    if (isMember) below.set(fieldElement(key), asMember(node));
    else if (node) below.set(fieldElement(key), node);
  }
  return below.size === 0 ? undefined : { isMember: false, below };
}

/** Nothing below it would tell that it is there. */
function isEmpty(value: unknown): boolean {
  const shape = shapeOf(value);
  return shape === undefined || (shape === "map" && Object.keys(value as Json).length === 0);
}

function asMember(node: FieldNode | undefined): FieldNode {
  return node === undefined ? leaf : { isMember: true, below: node.below };
}

/** Items that are there several times are owned together, as a whole. */
function fieldsOfList(schema: ListSchema, list: readonly unknown[]): FieldNode | undefined {
  const below = new Map<PathElement, FieldNode>();
  for (const item of list) {
    const element = elementOfItem(schema, item);
    below.set(element, below.has(element) ? leaf : asMember(fieldsOf(schema.items, item)));
  }
  return below.size === 0 ? undefined : { isMember: false, below };
}
