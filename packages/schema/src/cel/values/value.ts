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
import type { CelError } from "./cel-error.ts";
import { CelList } from "./cel-list.ts";
import { CelMap } from "./cel-map.ts";
import { Opaque } from "./opaque.ts";
import { Optional } from "./optional.ts";
import { Uint } from "./uint.ts";

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
