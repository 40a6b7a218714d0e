import { Uint, type Value } from "./value.ts";

export type Numeric = bigint | number | Uint;

export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
export const MAX_UINT64 = 2n ** 64n - 1n;

export function isNumeric(value: Value): value is Numeric {
  return typeof value === "bigint" || typeof value === "number" || value instanceof Uint;
}

/** Compares numbers of all three types; undefined for NaN. */
export function compareNumbers(left: Numeric, right: Numeric): -1 | 0 | 1 | undefined {
  if (Number.isNaN(left) || Number.isNaN(right)) return undefined;
  const a = plain(left);
  const b = plain(right);
  // An integer is compared as the nearest double, unless that is out of range.
  if (typeof a === "bigint" && typeof b === "number")
    return order<bigint | number>(nearest(a, b), b);
  if (typeof a === "number" && typeof b === "bigint")
    return order<bigint | number>(a, nearest(b, a));
  return order(a, b);
}

function plain(value: Numeric): bigint | number {
  return value instanceof Uint ? value.value : value;
}

function nearest(integer: bigint, double: number): bigint | number {
  return Number.isFinite(double) ? Number(integer) : integer;
}

export function order<T extends bigint | number | string>(a: T, b: T): -1 | 0 | 1 {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

/** The integer that equals a double; undefined where there is none. */
export function losslessInteger(value: number): bigint | undefined {
  return Number.isInteger(value) ? BigInt(value) : undefined;
}
