import type { KubeObject } from "@rookery/kube";
import { type Comparison, compareValues } from "./compare-values.ts";
import { emptySet, type FieldNode, type FieldSet, leaf } from "./field-set.ts";
import {
  elementOfItem,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
  schemaOfKey,
  shapeIn,
  shapeOf,
  untypedAtomic,
} from "./merge-schema.ts";
import { fieldElement, fieldName, type PathElement } from "./path-element.ts";

/** An object with the merge schema of its version. */
export interface TypedObject {
  readonly object: KubeObject;
  readonly schema: MergeSchema;
}

/** A request for an object in another version. */
export interface Conversion {
  readonly object: KubeObject;
  readonly apiVersion: string;
}

/**
 * A computation that yields requests for conversions, and receives undefined for versions that no
 * longer exist. Without other versions it runs synchronously.
 */
export type Steps<T> = Generator<Conversion, T, TypedObject | undefined>;

/** The object in a version; undefined for an unknown version. */
export function* inVersion(typed: TypedObject, apiVersion: string): Steps<TypedObject | undefined> {
  const { object } = typed;
  return object.apiVersion === apiVersion ? typed : yield { object, apiVersion };
}

/** Both must have the same version. */
export function compareObjects(before: TypedObject, after: TypedObject): Comparison {
  return compareValues(after.schema, before.object, after.object);
}

export function fieldsOfObject({ schema, object }: TypedObject): FieldSet {
  return fieldsOfValue(schema, object);
}

/** The object's fields with their parents. */
export function namedFieldsOf(typed: TypedObject): FieldSet {
  return withNamedFields(fieldsOfObject(typed), typed.schema);
}

export function withoutFields({ schema, object }: TypedObject, fields: FieldSet): TypedObject {
  return { schema, object: removeFields(schema, object, fields) as KubeObject };
}

/** All fields and items of a value. Throws a ListItemError. */
function fieldsOfValue(schema: MergeSchema, value: unknown): FieldSet {
  return fieldsOf(schema, value)?.below ?? emptySet;
}

/** The field itself is a member if it is atomic. */
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

/** Whether a value has no children that would represent it. */
function isEmpty(value: unknown): boolean {
  const shape = shapeOf(value);
  return shape === undefined || (shape === "map" && Object.keys(value as Json).length === 0);
}

function asMember(node: FieldNode | undefined): FieldNode {
  return node === undefined ? leaf : { isMember: true, below: node.below };
}

/** Repeated items are owned together, as a whole. */
function fieldsOfList(schema: ListSchema, list: readonly unknown[]): FieldNode | undefined {
  const below = new Map<PathElement, FieldNode>();
  for (const item of list) {
    const element = elementOfItem(schema, item);
    below.set(element, below.has(element) ? leaf : asMember(fieldsOf(schema.items, item)));
  }
  return below.size === 0 ? undefined : { isMember: false, below };
}

/** Removes fields and items from a value; null if nothing is left. */
function removeFields(schema: MergeSchema, value: unknown, fields: FieldSet): unknown {
  const shape = shapeIn(schema, value);
  if (shape === "map" && schema.map) {
    if (shapeOf(value) !== "map" || schema.map.isAtomic) return null;
    return removeKeys(schema.map, value as object, fields);
  }
  if (shape === "list" && schema.list) {
    if (!Array.isArray(value) || schema.list.type === "atomic") return null;
    return removeItems(schema.list, value, fields);
  }
  return value;
}

function removeKeys(schema: MapSchema, map: object, fields: FieldSet): object | null {
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

/**
 * Adds the declared parents of the members: for "a.b.c" adds "a" if it is a field, but not "a.b" if
 * that is a map key.
 */
export function withNamedFields(set: FieldSet, schema: MergeSchema | undefined): FieldSet {
  if (set.size === 0) return emptySet;
  const result = new Map<PathElement, FieldNode>();
  for (const [element, node] of set) {
    const name = fieldName(element);
    const leads = name !== undefined && schema?.map?.field(name) !== undefined;
    const below = withNamedFields(node.below, partOf(schema, element));
    result.set(element, { isMember: node.isMember || (leads && node.below.size > 0), below });
  }
  return result;
}

function partOf(schema: MergeSchema | undefined, element: PathElement): MergeSchema | undefined {
  const name = fieldName(element);
  if (name !== undefined) return schema?.map && schemaOfKey(schema.map, name);
  return element.startsWith("k:") ? schema?.list?.items : undefined;
}
