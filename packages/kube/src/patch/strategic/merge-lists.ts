import { PatchError } from "../../errors.ts";
import { directiveMarker, type Json, unknownDirective } from "./directives.ts";
import { asObject, haveObjectItems, MergeIndex, mergeValueOf } from "./list-items.ts";
import { orderItems } from "./list-order.ts";

type MergeItem = (original: Json, patch: Json) => unknown;

interface Merging {
  readonly mergeKey: string;
  readonly mergeItem: MergeItem;
}

/**
 * Merges a list whose strategy is "merge", in the order of the patch and the list. Changes
 * `original` as Kubernetes does, which orders by its remains later.
 */
export function mergeLists(original: unknown[], patch: unknown[], merging: Merging): unknown[] {
  if (original.length === 0 && patch.length === 0) return original;
  const { mergeKey } = merging;
  if (!haveObjectItems(original, patch)) {
    const merged = [...new Set([...original, ...patch])];
    return orderItems(merged, patch, original, { mergeKey, objects: false });
  }
  if (mergeKey === "") throw new PatchError("cannot merge lists without merge key for struct", 500);
  const prepared = applyItemDirectives(new Slice(original), patch, mergeKey);
  const live = prepared.original.items;
  const merged = mergeItems(prepared.original, prepared.patch, merging);
  return orderItems(merged, prepared.patch, live, { mergeKey, objects: true });
}

/** The scalars without those of "$deleteFromPrimitiveList". */
export function deleteItems(original: unknown[], deleted: unknown[]): unknown[] {
  if (original.length === 0 && deleted.length === 0) return original;
  if (!haveObjectItems(original, deleted)) {
    const gone = new Set(deleted);
    return original.filter((item) => !gone.has(item));
  }
  throw new PatchError("cannot merge lists without merge key for struct", 500);
}

/** Removes the items with a directive from the patch and applies them to the list. */
function applyItemDirectives(
  original: Slice,
  patch: unknown[],
  mergeKey: string,
): { original: Slice; patch: unknown[] } {
  let replaces = false;
  const plain: unknown[] = [];
  const gone: unknown[] = [];
  for (const item of patch.map(asObject)) {
    if (!Object.hasOwn(item, directiveMarker)) plain.push(item);
    else if (item[directiveMarker] === "replace") replaces = true;
    else gone.push(deletedValue(item, mergeKey));
  }
  deleteItemsOf(original, gone, mergeKey);
  return replaces ? { original: new Slice(plain), patch: [] } : { original, patch: plain };
}

/** The merge key of a deleted item. */
function deletedValue(item: Json, mergeKey: string): unknown {
  const directive = item[directiveMarker];
  if (directive === "merge") {
    throw new PatchError("merging lists cannot yet be specified in the patch", 500);
  }
  if (directive !== "delete") throw unknownDirective(directive, item);
  return mergeValueOf(item, mergeKey);
}

function deleteItemsOf(list: Slice, values: readonly unknown[], mergeKey: string): void {
  if (values.length === 0) return;
  const index = new MergeIndex(list.items, mergeKey);
  list.remove([...new Set(values)].flatMap((value) => index.placesOf(value)));
}

function mergeItems(
  original: Slice,
  patch: readonly unknown[],
  { mergeKey, mergeItem }: Merging,
): unknown[] {
  const index = new MergeIndex(original.items, mergeKey);
  for (const item of patch.map(asObject)) {
    const value = mergeValueOf(item, mergeKey);
    const [place] = index.placesOf(value);
    if (place === undefined) index.add(item, original.append(item));
    else {
      const merged = mergeItem(asObject(original.at(place)), item);
      original.set(place, merged);
      if (asObject(merged)[mergeKey] !== value) index.removeFirst(value);
    }
  }
  return original.items;
}

/**
 * A list that changes in place like a Go slice while it has capacity. Kubernetes reads the live
 * list again after merging into it, so the leftovers decide the order.
 */
class Slice {
  #items: unknown[];
  #length: number;
  /** Whether the capacity was exceeded, so that the list is a copy. */
  #isOwn = false;

  constructor(items: unknown[]) {
    this.#items = items;
    this.#length = items.length;
  }

  get items(): unknown[] {
    return this.#items.slice(0, this.#length);
  }

  at(index: number): unknown {
    return this.#items[index];
  }

  /** Returns the index of the new item. */
  append(item: unknown): number {
    if (this.#length === this.#items.length && !this.#isOwn) {
      this.#items = this.items;
      this.#isOwn = true;
    }
    this.#items[this.#length] = item;
    return this.#length++;
  }

  /**
   * Removes items one after another; each removal moves the following items to the left, and the
   * last slot keeps its value.
   */
  remove(indexes: readonly number[]): void {
    const gone = new Set<number>();
    const kept: unknown[] = [];
    let last = this.#length - 1;
    for (const index of indexes) {
      while (gone.has(last)) last--;
      kept.push(this.#items[last]);
      gone.add(index);
    }
    const left = this.items.filter((_, index) => !gone.has(index));
    for (const [index, item] of [...left, ...kept.toReversed()].entries()) {
      this.#items[index] = item;
    }
    this.#length = left.length;
  }

  set(index: number, item: unknown): void {
    this.#items[index] = item;
  }
}
