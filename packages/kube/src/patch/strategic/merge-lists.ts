import { PatchError } from "../../errors.ts";
import { directiveMarker, type Json, unknownDirective } from "./directives.ts";
import { asObject, haveObjectItems, MergeIndex, mergeValueOf } from "./list-items.ts";
import { orderItems } from "./list-order.ts";
import { Slice } from "./slice.ts";

/** Merges an object of a list with its patch. */
type MergeItem = (original: Json, patch: Json) => unknown;

interface Merging {
  readonly mergeKey: string;
  readonly mergeItem: MergeItem;
}

/**
 * Merges a list whose strategy is "merge"; the result is in the order of the patch and the list. The
 * original is used up: what is left in it is what Kubernetes orders by where it looks at it again.
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

/** The items of a list of scalars without those of "$deleteFromPrimitiveList". */
export function deleteItems(original: unknown[], deleted: unknown[]): unknown[] {
  if (original.length === 0 && deleted.length === 0) return original;
  if (!haveObjectItems(original, deleted)) {
    const gone = new Set(deleted);
    return original.filter((item) => !gone.has(item));
  }
  throw new PatchError("cannot merge lists without merge key for struct", 500);
}

/** Takes the items with a directive out of the patch and does what they ask of the list. */
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

/** The merge key of an item that asks to be deleted. */
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
