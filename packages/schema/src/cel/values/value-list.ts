import type { Meter } from "../meter.ts";
import { equal, equalNonNull } from "./equality.ts";
import { CelList, type Value } from "./value.ts";

/** A list that the expression created. */
export class ValueList extends CelList {
  readonly #elements: readonly Value[];

  constructor(elements: readonly Value[]) {
    super();
    this.#elements = elements;
  }

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): Value {
    return this.#elements[index] ?? null;
  }

  add(other: CelList, meter: Meter): CelList {
    if (this.size === 0) return other;
    if (other.size === 0) return this;
    meter.work(this.size + other.size);
    return new ValueList([...this, ...other]);
  }

  contains(element: Value, meter: Meter): boolean {
    return this.#elements.some((each) => equalNonNull(element, each, meter) === true);
  }

  /** Incomparable elements count as equal, as in cel-go. */
  equals(other: Value, meter: Meter): boolean {
    if (!(other instanceof CelList) || other.size !== this.size) return false;
    return this.#elements.every((element, i) => equal(element, other.at(i), meter) !== false);
  }
}

/** The accumulator of a comprehension that builds a list: `+` appends in place. */
export class GrowingList extends CelList {
  readonly #elements: Value[] = [];

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): Value {
    return this.#elements[index] ?? null;
  }

  add(other: CelList): CelList {
    for (const element of other) this.#elements.push(element);
    return this;
  }

  contains(element: Value, meter: Meter): boolean {
    return this.freeze().contains(element, meter);
  }

  equals(other: Value, meter: Meter): boolean {
    return this.freeze().equals(other, meter);
  }

  freeze(): ValueList {
    return new ValueList(this.#elements);
  }
}
