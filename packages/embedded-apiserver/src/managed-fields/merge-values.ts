import { ListItemError } from "../errors.ts";
import {
  elementOfItem,
  hasKeys,
  type Json,
  type ListSchema,
  listOf,
  type MapSchema,
  type MergeSchema,
  mapOf,
  schemaOfKey,
  shapeIn,
  untypedAtomic,
} from "./merge-schema.ts";
import { type PathElement, printElement } from "./path-element.ts";

/**
 * Merges a partial object into another one. Nothing is removed. Lists follow the order of the
 * partial object. Throws a ListItemError.
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

interface Lists {
  readonly list: ListSchema;
  readonly live: readonly unknown[];
  readonly wanted: readonly unknown[];
}

/** An argument is undefined where only the other list has the item. */
type MergeItem = (live: unknown, wanted: unknown) => unknown;

/**
 * Merges lists of identifiable items. Items of the live list alone keep their place between shared
 * ones, which follow the wanted order. Undefined for an empty result. Throws a ListItemError.
 */
export function mergeLists(lists: Lists, mergeItem: MergeItem): readonly unknown[] | undefined {
  const merged = new ListMerge(lists, mergeItem).run();
  return merged.length > 0 ? merged : undefined;
}

interface Indexed {
  readonly elements: readonly PathElement[];
  /** null for repeated items, which are not merged. */
  readonly values: ReadonlyMap<PathElement, unknown>;
}

function index(list: ListSchema, items: readonly unknown[], allowsRepeated: boolean): Indexed {
  const values = new Map<PathElement, unknown>();
  const elements = items.map((item) => {
    const element = elementOfItem(list, item);
    const isRepeated = values.has(element);
    if (isRepeated && !allowsRepeated) {
      throw new ListItemError(`duplicate entries for key ${printElement(element)}`);
    }
    values.set(element, isRepeated ? null : item);
    return element;
  });
  return { elements, values };
}

/** Walks both lists in step. */
class ListMerge {
  readonly #mergeItem: MergeItem;
  readonly #live: readonly unknown[];
  readonly #left: Indexed;
  readonly #right: Indexed;
  /** The shared elements in the wanted order. */
  readonly #shared: PathElement[];
  #sharedAt = 0;
  readonly #done = new Set<PathElement>();
  readonly #out: unknown[] = [];
  #leftAt = 0;
  #rightAt = 0;

  constructor({ list, live, wanted }: Lists, mergeItem: MergeItem) {
    this.#mergeItem = mergeItem;
    this.#live = live;
    this.#right = index(list, wanted, false);
    this.#left = index(list, live, true);
    this.#shared = this.#right.elements.filter((element) => this.#left.values.has(element));
  }

  run(): readonly unknown[] {
    while (this.#leftElement ?? this.#rightElement) this.#step();
    return this.#out;
  }

  get #leftElement(): PathElement | undefined {
    return this.#left.elements[this.#leftAt];
  }

  get #rightElement(): PathElement | undefined {
    return this.#right.elements[this.#rightAt];
  }

  #step(): void {
    const [left, right] = [this.#leftElement, this.#rightElement];
    const isShared = left !== undefined && this.#right.values.has(left);
    if (left !== undefined && left === right) this.#takeBoth(left);
    else if (isShared && right !== undefined && this.#isLater(left)) this.#leftAt++;
    else if (left !== undefined && !isShared) this.#takeLeft();
    else {
      if (left !== undefined && this.#done.has(left)) this.#leftAt++;
      if (right !== undefined) this.#takeRight(right);
    }
  }

  /** Whether it is shared, but not the next shared element. */
  #isLater(element: PathElement): boolean {
    const next = this.#shared[this.#sharedAt];
    return next !== undefined && next !== element;
  }

  #takeBoth(element: PathElement): void {
    this.#merge(element);
    this.#leftAt++;
    this.#rightAt++;
    this.#sharedAt++;
  }

  #takeLeft(): void {
    this.#push(this.#mergeItem(this.#live[this.#leftAt], undefined));
    this.#leftAt++;
  }

  #takeRight(element: PathElement): void {
    this.#merge(element);
    this.#rightAt++;
    if (this.#shared[this.#sharedAt] === element) this.#sharedAt++;
  }

  #merge(element: PathElement): void {
    this.#done.add(element);
    this.#push(this.#mergeItem(this.#left.values.get(element), this.#right.values.get(element)));
  }

  #push(value: unknown): void {
    if (value !== undefined) this.#out.push(value);
  }
}
