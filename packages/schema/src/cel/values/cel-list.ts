import type { Meter } from "../meter.ts";
import type { CelError } from "./cel-error.ts";
import type { Value } from "./value.ts";

/** A list; how its elements are kept is up to the subclass. */
export abstract class CelList {
  abstract readonly size: number;

  /** The element at an index within bounds. */
  abstract at(index: number): Value;

  /** `this + other`. */
  abstract add(other: CelList, meter: Meter): CelList;

  /** `element in this`. */
  abstract contains(element: Value, meter: Meter): boolean | CelError;

  abstract equals(other: Value, meter: Meter): boolean | CelError;

  *[Symbol.iterator](): Iterator<Value> {
    for (let i = 0; i < this.size; i++) yield this.at(i);
  }
}
