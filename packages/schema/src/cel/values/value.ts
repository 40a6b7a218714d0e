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
/**
 * What an expression can evaluate to. An int is a bigint, a double a number. An error is a value as
 * well: `&&` and `||` may absorb it.
 */
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

/** The type of a value at run time. */
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

/** The length of what has one: code points, bytes, elements or entries. */
export function sizeOf(value: Value): number | undefined {
  if (typeof value === "string") return codePointCount(value);
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Opaque) return value.size;
  return undefined;
}

/** Quick to tell for plain texts, which it is most often about. */
export function hasSurrogates(text: string): boolean {
  return /[\ud800-\udbff]/.test(text);
}

/** Go counts runes where JavaScript counts UTF-16 units. */
export function codePointCount(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let surrogatePairs = 0;
  for (let i = 0; i < text.length - 1; i++) {
    const isHigh = (text.charCodeAt(i) & 0xfc00) === 0xd800;
    if (isHigh && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) surrogatePairs++;
  }
  return text.length - surrogatePairs;
}

/** An evaluation error, carried as a value. */
export class CelError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export const NO_SUCH_OVERLOAD = new CelError("no such overload");

/** An unsigned 64-bit integer. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** A value that may be absent. */
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

  /** Only addresses have one; it decides what comparing them costs. */
  get size(): number | undefined {
    return undefined;
  }
}

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

/** A map or an object; how its entries are kept is up to the subclass. */
export abstract class CelMap {
  abstract readonly size: number;

  /** The value of a key; undefined where there is none; an error where it can't be a key. */
  abstract find(key: Value): Value | undefined;

  abstract keys(): Iterable<Value>;

  abstract equals(other: Value, meter: Meter): boolean | CelError;
}
