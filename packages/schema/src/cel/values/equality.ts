import { Duration, Timestamp } from "../../time.ts";
import { CelType } from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import { compareNumbers, isNumeric } from "./numbers.ts";
import { CelError, CelList, CelMap, Opaque, Optional, type Value } from "./value.ts";

/** `left == right`; null only equals null. */
export function equal(left: Value, right: Value, meter: Meter): boolean | CelError {
  if (left === null || right === null) return left === right;
  return equalNonNull(left, right, meter);
}

/** As `equal`, but lists and objects of a schema reject a comparison with null. */
export function equalNonNull(left: Value, right: Value, meter: Meter): boolean | CelError {
  meter.work(1);
  if (left instanceof CelError) return left;
  if (isNumeric(left)) return isNumeric(right) && compareNumbers(left, right) === 0;
  if (left instanceof CelList || left instanceof CelMap) return left.equals(right, meter);
  if (left instanceof Opaque) return left.equals(right, meter);
  if (left instanceof Optional) return equalOptionals(left, right, meter);
  return equalScalars(left, right, meter);
}

function equalScalars(left: Value, right: Value, meter: Meter): boolean {
  if (left instanceof Uint8Array) {
    meter.work(left.length);
    return right instanceof Uint8Array && sameBytes(left, right);
  }
  if (left instanceof Duration) return right instanceof Duration && left.nanos === right.nanos;
  if (left instanceof Timestamp) {
    return right instanceof Timestamp && left.epochNanos === right.epochNanos;
  }
  if (left instanceof CelType) return right instanceof CelType && left.name === right.name;
  if (typeof left === "string") meter.read(left);
  return left === right;
}

function equalOptionals(left: Optional, right: Value, meter: Meter): boolean | CelError {
  if (!(right instanceof Optional)) return false;
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equalNonNull(left.value, right.value, meter);
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, i) => byte === right[i]);
}
