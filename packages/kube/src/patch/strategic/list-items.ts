import { PatchError } from "../../errors.ts";
import { goTypeOf, printValue } from "../../go/value.ts";
import { isRecord } from "../../object/deep.ts";
import type { Json } from "./directives.ts";

/** Whether the items of these lists are objects; rejects lists of lists and mixed lists. */
export function haveObjectItems(...lists: readonly (readonly unknown[])[]): boolean {
  const items = lists.flat();
  const first = items[0];
  if (items.length === 0) throw new PatchError("no elements in any of the given slices", 500);
  if (Array.isArray(first)) throw new PatchError("lists of lists are not supported", 422);
  if (items.some((item) => kindOf(item) !== kindOf(first))) {
    const reason = `list element types are not identical: ${printValue(lists)}`;
    throw new PatchError(reason, 500);
  }
  return isRecord(first);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return value === null ? "null" : typeof value;
}

export function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw wrongType("[]interface {}", value);
}

export function asObject(value: unknown): Json {
  if (isRecord(value)) return value;
  throw wrongType("map[string]interface {}", value);
}

function wrongType(expected: string, value: unknown): PatchError {
  return new PatchError(`expected a ${expected}, but received a ${goTypeOf(value)}`, 500);
}

/** The value of an item's merge key; rejects an item without it. */
export function mergeValueOf(item: unknown, mergeKey: string): unknown {
  const object = asObject(item);
  if (Object.hasOwn(object, mergeKey)) return object[mergeKey];
  const reason = `map: ${printValue(object)} does not contain declared merge key: ${mergeKey}`;
  throw new PatchError(reason, 500);
}

/** The indices of list items by the value of their merge key. */
export class MergeIndex {
  readonly #mergeKey: string;
  readonly #places = new Map<unknown, number[]>();
  /** The first item that is not an object: every search for a later item fails there. */
  readonly #stranger: number;

  constructor(list: readonly unknown[], mergeKey: string) {
    this.#mergeKey = mergeKey;
    this.#stranger = list.findIndex((item) => !isRecord(item));
    for (const [place, item] of list.entries()) this.add(item, place);
  }

  /** In ascending order. Throws a PatchError where an item that is not an object comes first. */
  placesOf(value: unknown): readonly number[] {
    const places = this.#places.get(value) ?? [];
    const isPast = this.#stranger >= 0 && (places[0] ?? Number.POSITIVE_INFINITY) > this.#stranger;
    if (isPast) throw new PatchError(`value for key ${this.#stranger} is not a map`, 500);
    return places;
  }

  add(item: unknown, place: number): void {
    if (!isRecord(item) || !Object.hasOwn(item, this.#mergeKey)) return;
    const value = item[this.#mergeKey];
    const places = this.#places.get(value);
    if (places) places.push(place);
    else this.#places.set(value, [place]);
  }

  /** Forgets an item that has lost its merge key. */
  removeFirst(value: unknown): void {
    this.#places.get(value)?.shift();
  }
}
