import { inexactInteger, isInexact } from "@rookery/apiserver";
import { describeValue, type MakeRead, type Reading } from "./reading.ts";

/** Text; halves of pairs become U+FFFD, as Go has it. */
export const stringReader: MakeRead =
  ({ name }) =>
  (value, reading) => {
    if (typeof value !== "string") return reading.mismatch(describeValue(value), name);
    return value.isWellFormed() ? value : value.toWellFormed();
  };

export const boolReader: MakeRead =
  ({ name }) =>
  (value, reading) =>
    typeof value === "boolean" ? value : reading.mismatch(describeValue(value), name);

export const floatReader: MakeRead =
  ({ name }) =>
  (value, reading) =>
    typeof value === "number" ? value : reading.mismatch(describeValue(value), name);

export const int32Reader: MakeRead =
  ({ name }) =>
  (value, reading) =>
    isInt32(value, reading) ? value : reading.mismatch(describeInteger(value, reading), name);

/** Past 2^53 a number has lost digits when it comes here. */
export const int64Reader: MakeRead =
  ({ name }) =>
  (value, reading) => {
    if (!isInt64(value, reading)) return reading.mismatch(describeInteger(value, reading), name);
    const { literal = "" } = reading;
    return isInexact(literal) ? reading.problem(inexactInteger(literal)) : value;
  };

/** 1.0 and 1e3 are no integers to Go. */
export function isInt32(value: unknown, { literal }: Reading): value is number {
  return typeof value === "number" && (value | 0) === value && literal === undefined;
}

function isInt64(value: unknown, { literal }: Reading): boolean {
  if (!Number.isInteger(value)) return false;
  if (literal === undefined) return Math.abs(value as number) < 2 ** 63;
  return /^-?\d+$/.test(literal) && BigInt.asIntN(64, BigInt(literal)) === BigInt(literal);
}

/** A number that does not fit is told as it was written. */
export function describeInteger(value: unknown, { literal }: Reading): string {
  return typeof value === "number" ? `number ${literal ?? value}` : describeValue(value);
}
