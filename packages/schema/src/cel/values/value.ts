import { Duration, Timestamp } from "../../time.ts";
import {
  BOOL,
  BYTES,
  CelType,
  DOUBLE,
  DURATION,
  ERROR,
  INT,
  LIST,
  MAP,
  NULL,
  OPTIONAL,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from "../cel-type.ts";
import type { Meter } from "../meter.ts";
/** Values of expressions. Ints are bigints, doubles numbers; `&&` and `||` may absorb an error. */
export type Value =
  | boolean
  | bigint
  | number
  | string
  | null
  | Uint8Array
  | Uint
  | Duration
  | Timestamp
  | CelList
  | CelMap
  | CelType
  | Optional
  | Opaque
  | CelError;

export function typeOf(value: Value): CelType {
  switch (typeof value) {
    case "boolean":
      return BOOL;
    case "bigint":
      return INT;
    case "number":
      return DOUBLE;
    case "string":
      return STRING;
    default:
      return value === null ? NULL : typeOfObject(value);
  }
}

function typeOfObject(value: Exclude<Value, null>): CelType {
  if (value instanceof CelList) return LIST;
  if (value instanceof CelMap) return MAP;
  if (value instanceof Uint8Array) return BYTES;
  if (value instanceof Uint) return UINT;
  if (value instanceof Duration) return DURATION;
  if (value instanceof Timestamp) return TIMESTAMP;
  if (value instanceof CelType) return TYPE;
  if (value instanceof Optional) return OPTIONAL;
  if (value instanceof Opaque) return value.type;
  return ERROR;
}

/** The number of code points, bytes, elements or entries; undefined for other values. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === "string") return codePointCount(value);
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Opaque) return value.size;
  return undefined;
}

/** Fast for plain texts, the most frequent case. */
export function hasSurrogates(text: string): boolean {
  return /[\ud800-\udbff]/.test(text);
}

/** Go counts runes, JavaScript UTF-16 units. */
export function codePointCount(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let surrogatePairs = 0;
  for (let i = 0; i < text.length - 1; i++) {
    const isHigh = (text.charCodeAt(i) & 0xfc00) === 0xd800;
    if (isHigh && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) surrogatePairs++;
  }
  return text.length - surrogatePairs;
}

/** An evaluation error as a value. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const NO_SUCH_OVERLOAD = new CelError("no such overload");

export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export class Optional {
  static readonly none = new Optional(undefined);
  readonly value: Value | undefined;

  private constructor(value: Value | undefined) {
    this.value = value;
  }

  static of(value: Value): Optional {
    return new Optional(value);
  }

  get hasValue(): boolean {
    return this.value !== undefined;
  }
}

/** A value of a Kubernetes library: a quantity, an address, a URL. */
export abstract class Opaque {
  abstract readonly type: CelType;

  abstract equals(other: Value, meter: Meter): boolean | CelError;

  /** Only addresses have a size, which determines the cost of comparisons. */
  get size(): number | undefined {
    return undefined;
  }
}

export abstract class CelList {
  abstract readonly size: number;

  /** The index must be within bounds. */
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

export abstract class CelMap {
  abstract readonly size: number;

  /** Undefined for a missing key; an error for a value that cannot be a key. */
  abstract find(key: Value): Value | undefined;

  abstract keys(): Iterable<Value>;

  abstract equals(other: Value, meter: Meter): boolean | CelError;
}
