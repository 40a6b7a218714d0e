import type { GoType } from "./go-types.ts";
import { describeValue, type Read } from "./reading.ts";

/** A list; null items are what Go has for nothing in their type. */
export function sliceReader(type: GoType, element: Read, zero: () => unknown): Read {
  return (value, reading) => {
    if (!Array.isArray(value)) return reading.mismatch(describeValue(value), type.name);
    if (value.length === 0 && !reading.keepsEmpty && !type.isWrapped) return null;
    return value.map((item, index) => {
      if (item === null) return zero();
      reading.enter(index, value, index);
      const read = element(item, reading);
      reading.leave();
      return read;
    });
  };
}

/** A map, with its keys in order. */
export function mapReader({ name }: GoType, element: Read, zero: () => unknown): Read {
  return (value, reading) => {
    if (typeof value !== "object" || Array.isArray(value) || value === null) {
      return reading.mismatch(describeValue(value), name);
    }
    // In the order of the text: the first problem is told.
    const entries = Object.entries(value);
    for (const entry of entries) {
      const [key, item] = entry;
      if (item === null) entry[1] = zero();
      else {
        reading.enter(key, value, key);
        entry[1] = element(item, reading);
        reading.leave();
      }
    }
    if (entries.length === 0 && !reading.keepsEmpty) return null;
    return Object.fromEntries(isOrdered(entries) ? entries : entries.sort(byKey));
  };
}

type Entry = readonly [string, unknown];

/** Most clients write their maps in order, and to look is less than to sort. */
function isOrdered(entries: readonly Entry[]): boolean {
  let last = "";
  for (const [key] of entries) {
    if (key < last) return false;
    last = key;
  }
  return true;
}

function byKey([a]: Entry, [b]: Entry): number {
  return a < b ? -1 : 1;
}
