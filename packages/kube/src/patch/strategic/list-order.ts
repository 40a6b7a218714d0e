import { PatchError } from "../../errors.ts";
import { printValue } from "../../go/value.ts";
import { isRecord } from "../../object/deep.ts";
import { directiveMarker, elementOrderPrefix } from "./directives.ts";
import { asObject, MergeIndex, mergeValueOf } from "./list-items.ts";

/** How list items are identified: by a merge key, or by value where the key is "". */
export interface ItemIdentity {
  readonly mergeKey: string;
  readonly objects: boolean;
}

type List = readonly unknown[];

/**
 * Orders a merged list: items of `patchOrder` in its order, the others in the order of the live
 * list, interleaved so that the live order holds where possible.
 */
export function orderItems(
  merged: List,
  patchOrder: List,
  liveOrder: List,
  identity: ItemIdentity,
): unknown[] {
  const isPatched = membership(patchOrder, identity.mergeKey);
  const patched = sortBy(merged.filter(isPatched), patchOrder, identity);
  const others = sortBy(
    merged.filter((item) => !isPatched(item)),
    liveOrder,
    identity,
  );
  return interleave(others, patched, ranks(liveOrder, identity));
}

function membership(list: List, mergeKey: string): (item: unknown) => boolean {
  if (mergeKey === "") {
    const items = new Set(list);
    return (item) => items.has(item);
  }
  const index = new MergeIndex(list, mergeKey);
  return (item) => index.placesOf(mergeValueOf(item, mergeKey)).length > 0;
}

/** The rank of an item in an order; undefined for items that are not in it. */
function ranks(order: List, identity: ItemIdentity): (item: unknown) => number | undefined {
  const places = new Map<unknown, number>();
  const keyOf = (item: unknown) => {
    if (!identity.objects) return item;
    return isRecord(item) ? item[identity.mergeKey] : undefined;
  };
  for (const [place, item] of order.entries()) {
    if (!places.has(keyOf(item))) places.set(keyOf(item), place);
  }
  return (item) => places.get(keyOf(item));
}

function sortBy(items: List, order: List, identity: ItemIdentity): unknown[] {
  if (identity.objects)
    for (const item of [...items, ...order]) mergeValueOf(item, identity.mergeKey);
  const rank = ranks(order, identity);
  const deleted = items.filter((item) => identity.objects && isDeletion(item));
  const gone = new Set(deleted);
  const kept = items.filter((item) => !gone.has(item));
  return [...insertionSort(kept, rank), ...deleted];
}

function isDeletion(item: unknown): boolean {
  return asObject(item)[directiveMarker] === "delete";
}

/** Sorts by rank. An item without a rank counts as smaller than any before it, as in Kubernetes. */
function insertionSort(items: List, rank: (item: unknown) => number | undefined): unknown[] {
  if (items.every((item) => rank(item) !== undefined)) {
    return items.toSorted((a, b) => (rank(a) ?? 0) - (rank(b) ?? 0));
  }
  return placeByInsertion(items.map((item) => ({ item, rank: rank(item) }))).map(
    ({ item }) => item,
  );
}

interface Ranked {
  readonly item: unknown;
  readonly rank: number | undefined;
}

/**
 * The result of an insertion sort in less than quadratic time: an item without a rank, or lower
 * than all before it, goes to the front; every other one follows the next lower one.
 */
function placeByInsertion(items: readonly Ranked[]): Ranked[] {
  const front: Ranked[] = [];
  const others: Ranked[] = [];
  let lowest = Number.POSITIVE_INFINITY;
  for (const each of items) {
    const isFirst = each.rank === undefined || each.rank < lowest;
    (isFirst ? front : others).push(each);
    if (isFirst) lowest = each.rank ?? lowest;
  }
  const rest = others.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  const lows = front.filter(({ rank }) => rank !== undefined);
  const placed: Ranked[] = [];
  let next = 0;
  for (const each of front.reverse()) {
    placed.push(each);
    if (each.rank === undefined) continue;
    lows.pop();
    const end = lows.at(-1)?.rank ?? Number.POSITIVE_INFINITY;
    while (next < rest.length && (rest[next]?.rank ?? 0) < end) placed.push(rest[next++] as Ranked);
  }
  return placed;
}

/** Merges two sorted lists; a left item goes first only where its rank is known to be lower. */
function interleave(
  left: List,
  right: List,
  rank: (item: unknown) => number | undefined,
): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const item of right) {
    while (next < left.length && isLower(rank(left[next]), rank(item))) result.push(left[next++]);
    result.push(item);
  }
  return [...result, ...left.slice(next)];
}

function isLower(a: number | undefined, b: number | undefined): boolean {
  return a !== undefined && b !== undefined && a < b;
}

/** Rejects a patch list whose items are not in the "$setElementOrder" list, or in another order. */
export function checkElementOrder(patch: List, order: List, mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const expected = patch.filter((item) => mergeKey === "" || !isDeletion(item));
  let next = 0;
  for (const item of order) {
    while (next < expected.length && hasDirective(expected[next])) next++;
    if (next < expected.length && isSameItem(expected[next], item, mergeKey)) next++;
  }
  if (next === expected.length) return;
  const reason = `The order in patch list:\n${printValue(patch)}\n doesn't match ${elementOrderPrefix} list:\n${printValue(order)}\n`;
  throw new PatchError(reason, 500);
}

function hasDirective(item: unknown): boolean {
  return isRecord(item) && Object.hasOwn(item, directiveMarker);
}

function isSameItem(a: unknown, b: unknown, mergeKey: string): boolean {
  if (mergeKey === "") return a === b;
  return mergeValueOf(a, mergeKey) === mergeValueOf(b, mergeKey);
}
