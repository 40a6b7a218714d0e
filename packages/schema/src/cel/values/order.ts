import { Duration, Timestamp } from "../../time.ts";
import { compareNumbers, isNumeric, order } from "./numbers.ts";
import { CelError, NO_SUCH_OVERLOAD, type Value } from "./value.ts";

export type Order = -1 | 0 | 1;

/** Returns an error for types without a common order. */
export function compare(left: Value, right: Value): Order | CelError {
  if (isNumeric(left) && isNumeric(right)) {
    return compareNumbers(left, right) ?? new CelError("NaN values cannot be ordered");
  }
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  if (typeof left === "boolean" && typeof right === "boolean") return sign(+left - +right);
  if (left instanceof Duration && right instanceof Duration) return order(left.nanos, right.nanos);
  if (left instanceof Timestamp && right instanceof Timestamp) {
    return order(left.epochNanos, right.epochNanos);
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(left, right);
  return right instanceof CelError ? right : NO_SUCH_OVERLOAD;
}

/** Whether values of this type have an order. */
export function isComparable(value: Value): boolean {
  const scalar = isNumeric(value) || typeof value === "string" || typeof value === "boolean";
  const time = value instanceof Duration || value instanceof Timestamp;
  return scalar || time || value instanceof Uint8Array;
}

/** By code point, which is the order of UTF-8 bytes but not of UTF-16 units. */
export function compareStrings(left: string, right: string): Order {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    if (left.charCodeAt(i) === right.charCodeAt(i)) continue;
    return sign((left.codePointAt(i) ?? 0) - (right.codePointAt(i) ?? 0));
  }
  return sign(left.length - right.length);
}

function compareBytes(left: Uint8Array, right: Uint8Array): Order {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return sign(difference);
  }
  return sign(left.length - right.length);
}

function sign(difference: number): Order {
  if (difference < 0) return -1;
  return difference > 0 ? 1 : 0;
}
