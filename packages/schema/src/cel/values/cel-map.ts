import type { Meter } from "../meter.ts";
import type { CelError } from "./cel-error.ts";
import type { Value } from "./value.ts";

/** A map or an object; how its entries are kept is up to the subclass. */
export abstract class CelMap {
  abstract readonly size: number;

  /** The value of a key; undefined where there is none; an error where it can't be a key. */
  abstract find(key: Value): Value | undefined;

  abstract keys(): Iterable<Value>;

  abstract equals(other: Value, meter: Meter): boolean | CelError;
}
