import { deepEqual } from "@rookery/kube";
import {
  emptySet,
  type FieldNode,
  type FieldSet,
  fieldNode,
  leaf,
  unionNodes,
} from "./field-set.ts";
import {
  elementOfItem,
  hasKeys,
  haveSameShape,
  type Json,
  type ListSchema,
  listOf,
  type MapSchema,
  type MergeSchema,
  mapOf,
  type Shape,
  shapeIn,
  untypedAtomic,
} from "./merge-schema.ts";
import { fieldElement, type PathElement } from "./path-element.ts";

/** The fields that a change affects; the sets are disjoint. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** The fields in which two objects of a kind differ. Throws a ListItemError. */
export function compareValues(schema: MergeSchema, before: unknown, after: unknown): Comparison {
  const { added, modified, removed } = compare(schema, before, after);
  return {
    added: added?.below ?? emptySet,
    modified: modified?.below ?? emptySet,
    removed: removed?.below ?? emptySet,
  };
}

/** The change of a field and of its children. */
interface Change {
  readonly added?: FieldNode | undefined;
  readonly modified?: FieldNode | undefined;
  readonly removed?: FieldNode | undefined;
  /** Whether the value was compared as a whole, without children. */
  readonly isWhole?: boolean;
}

const unchanged: Change = { isWhole: true };
const nothing: Change = {};
const addedWhole: Change = { added: leaf, isWhole: true };
const modifiedWhole: Change = { modified: leaf, isWhole: true };
const removedWhole: Change = { removed: leaf, isWhole: true };

function compare(schema: MergeSchema, before: unknown, after: unknown): Change {
  // Unchanged parts of objects are shared.
  if (before === after) return unchanged;
  const change = compareShapes(schema, before, after);
  if (change.isWhole) return change;
  if (before === undefined) return { ...change, added: asMember(change.added) };
  return after === undefined ? { ...change, removed: asMember(change.removed) } : change;
}

function asMember(node: FieldNode | undefined): FieldNode {
  return node === undefined ? leaf : { isMember: true, below: node.below };
}

function compareShapes(schema: MergeSchema, before: unknown, after: unknown): Change {
  if (after === undefined) return compareAs(shapeIn(schema, before), schema, [before, after]);
  const shape = shapeIn(schema, after);
  if (before === undefined || haveSameShape(schema, before, after)) {
    return compareAs(shape, schema, [before, after]);
  }
  const old = compareAs(shapeIn(schema, before), schema, [before, after]);
  const { isWhole = false, ...own } = compareAs(shape, schema, [before, after]);
  return {
    added: either(old.added, own.added),
    modified: either(old.modified, own.modified),
    removed: either(old.removed, own.removed),
    isWhole,
  };
}

function either(a: FieldNode | undefined, b: FieldNode | undefined): FieldNode | undefined {
  return a && b ? unionNodes(a, b) : (a ?? b);
}

type Pair = readonly [before: unknown, after: unknown];

function compareAs(shape: Shape | undefined, schema: MergeSchema, [before, after]: Pair): Change {
  if (shape === "map" && schema.map && !schema.map.isAtomic) {
    const [left, right] = [mapOf(before), mapOf(after)];
    if (hasKeys(left) || hasKeys(right)) return compareMaps(schema.map, left, right);
  }
  if (shape === "list" && schema.list && schema.list.type !== "atomic") {
    const [left, right] = [listOf(before), listOf(after)];
    if (left.length > 0 || right.length > 0) return compareLists(schema.list, left, right);
  }
  return compareWhole(before, after);
}

function compareWhole(before: unknown, after: unknown): Change {
  if (before === after) return unchanged;
  if (before === undefined) return addedWhole;
  if (after === undefined) return removedWhole;
  return deepEqual(before, after) ? unchanged : modifiedWhole;
}

/** Collects the changes of the parts of a map or list. */
class Parts {
  #added: Map<PathElement, FieldNode> | undefined;
  #modified: Map<PathElement, FieldNode> | undefined;
  #removed: Map<PathElement, FieldNode> | undefined;

  add(element: PathElement, { added, modified, removed }: Change): void {
    if (added) {
      this.#added ??= new Map();
      this.#added.set(element, merged(this.#added.get(element), added));
    }
    if (modified) {
      this.#modified ??= new Map();
      this.#modified.set(element, modified);
    }
    if (removed) {
      this.#removed ??= new Map();
      this.#removed.set(element, merged(this.#removed.get(element), removed));
    }
  }

  change(): Change {
    if (!this.#added && !this.#modified && !this.#removed) return nothing;
    return {
      added: fieldNode(false, this.#added ?? emptySet),
      modified: fieldNode(false, this.#modified ?? emptySet),
      removed: fieldNode(false, this.#removed ?? emptySet),
    };
  }
}

function merged(known: FieldNode | undefined, node: FieldNode): FieldNode {
  return known ? unionNodes(known, node) : node;
}

function compareMaps(schema: MapSchema, before: Json, after: Json): Change {
  const parts = new Parts();
  const compareKey = (key: string, old: unknown, own: unknown) => {
    const field = schema.field(key);
    const change = compare(field?.schema ?? schema.others ?? untypedAtomic, old, own);
    if (change !== unchanged) parts.add(field?.element ?? fieldElement(key), change);
  };
  for (const key of Object.keys(after)) {
    compareKey(key, Object.hasOwn(before, key) ? before[key] : undefined, after[key]);
  }
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) compareKey(key, before[key], undefined);
  }
  return parts.change();
}

function compareLists(
  schema: ListSchema,
  before: readonly unknown[],
  after: readonly unknown[],
): Change {
  const parts = new Parts();
  const [old, own] = [byElement(schema, before), byElement(schema, after)];
  for (const [element, items] of old) {
    compareItems(parts, { schema, element, before: items, after: own.get(element) ?? [] });
  }
  for (const [element, items] of own) {
    if (!old.has(element)) compareItems(parts, { schema, element, before: [], after: items });
  }
  return parts.change();
}

function byElement(schema: ListSchema, list: readonly unknown[]): Map<PathElement, unknown[]> {
  const items = new Map<PathElement, unknown[]>();
  for (const item of list) {
    const element = elementOfItem(schema, item);
    const same = items.get(element);
    if (same) same.push(item);
    else items.set(element, [item]);
  }
  return items;
}

interface Items {
  readonly schema: ListSchema;
  readonly element: PathElement;
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** Repeated items are compared together, as a whole. */
function compareItems(parts: Parts, { schema, element, before, after }: Items): void {
  const { items } = schema;
  if (before.length < 2 && after.length < 2) {
    parts.add(element, compare(items, before[0], after[0]));
  } else if (before.length > 1 && after.length > 1) {
    if (!deepEqual(before, after)) parts.add(element, modifiedWhole);
  } else if (before.length > 1) {
    if (after.length > 0) parts.add(element, compare(items, undefined, after[0]));
    parts.add(element, removedWhole);
  } else {
    if (before.length > 0) parts.add(element, compare(items, before[0], undefined));
    parts.add(element, addedWhole);
  }
}
