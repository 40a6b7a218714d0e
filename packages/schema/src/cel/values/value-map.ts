import type { Meter } from "../meter.ts";
import { equal } from "./equality.ts";
import { losslessInteger } from "./numbers.ts";
import { showValue } from "./show.ts";
import { CelError, CelMap, Uint, type Value } from "./value.ts";

type Entry = readonly [Value, Value];

abstract class EntryMap extends CelMap {
  protected readonly entries = new Map<string, Entry>();

  get size(): number {
    return this.entries.size;
  }

  find(key: Value): Value | undefined {
    const id = keyId(key);
    return id === undefined ? undefined : this.entries.get(id)?.[1];
  }

  *keys(): Iterable<Value> {
    for (const [key] of this.entries.values()) yield key;
  }
}

/** A map that the expression created. */
export class ValueMap extends EntryMap {
  constructor(entries: Iterable<Entry>) {
    super();
    for (const entry of entries) {
      const id = keyId(entry[0]);
      if (id !== undefined) this.entries.set(id, entry);
    }
  }

  equals(other: Value, meter: Meter): boolean {
    if (!(other instanceof CelMap) || other.size !== this.size) return false;
    for (const [key, value] of this.entries.values()) {
      const theirs = other.find(key);
      if (theirs === undefined || equal(value, theirs, meter) === false) return false;
    }
    return true;
  }
}

/** The accumulator of a comprehension that builds a map. */
export class GrowingMap extends EntryMap {
  equals(other: Value, meter: Meter): boolean {
    return this.freeze().equals(other, meter);
  }

  insert(key: Value, value: Value): GrowingMap | CelError {
    const id = keyId(key);
    if (id === undefined) return new CelError("unsupported key type");
    if (this.entries.has(id)) {
      return new CelError(`insert failed: key ${showValue(key)} already exists`);
    }
    this.entries.set(id, [key, value]);
    return this;
  }

  freeze(): ValueMap {
    return new ValueMap(this.entries.values());
  }
}

/** An id that equal keys share, whatever their numeric types; undefined for values that are no keys. */
export function keyId(key: Value): string | undefined {
  if (typeof key === "string") return `s${key}`;
  if (typeof key === "boolean") return `b${key}`;
  if (typeof key === "bigint") return `n${key}`;
  if (key instanceof Uint) return `n${key.value}`;
  if (typeof key === "number") return `n${losslessInteger(key) ?? key}`;
  return undefined;
}
