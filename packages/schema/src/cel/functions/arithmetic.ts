import { Duration, Timestamp } from "../../time.ts";
import {
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  STRING,
  TIMESTAMP,
  typeParam,
  UINT,
} from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import { OPERATORS } from "../syntax/ast.ts";
import { CelError, NO_SUCH_OVERLOAD } from "../values/cel-error.ts";
import { CelList } from "../values/cel-list.ts";
import { isNumeric } from "../values/numbers.ts";
import { Uint } from "../values/uint.ts";
import type { Value } from "../values/value.ts";
import { checkedDuration, checkedInt, checkedTimestamp, checkedUint } from "./checked.ts";
import { type FunctionDeclaration, type Overload, overload } from "./declare.ts";

const LIST_A = listOf(typeParam("A"));

type Operation = {
  readonly integers: (a: bigint, b: bigint) => bigint;
  readonly doubles?: (a: number, b: number) => number;
  /** What a zero on the right is called; undefined where it is allowed. */
  readonly zero?: string;
};

const PLUS: Operation = { integers: (a, b) => a + b, doubles: (a, b) => a + b };
const MINUS: Operation = { integers: (a, b) => a - b, doubles: (a, b) => a - b };
const TIMES: Operation = { integers: (a, b) => a * b, doubles: (a, b) => a * b };
const DIVIDE: Operation = {
  integers: (a, b) => a / b,
  doubles: (a, b) => a / b,
  zero: "division by zero",
};
const MODULO: Operation = { integers: (a, b) => a % b, zero: "modulus by zero" };

function calculate(left: Value, right: Value, operation: Operation): Value {
  const { integers, doubles, zero } = operation;
  if (typeof left === "bigint" && typeof right === "bigint") {
    return zero && right === 0n ? new CelError(zero) : checkedInt(integers(left, right));
  }
  if (left instanceof Uint && right instanceof Uint) {
    if (zero && right.value === 0n) return new CelError(zero);
    return checkedUint(integers(left.value, right.value));
  }
  if (typeof left === "number" && typeof right === "number" && doubles) return doubles(left, right);
  return right instanceof CelError ? right : NO_SUCH_OVERLOAD;
}

function add(left: Value, right: Value, meter: Meter): Value {
  if (typeof left === "string" && typeof right === "string") return left + right;
  if (left instanceof CelList && right instanceof CelList) return left.add(right, meter);
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return Uint8Array.of(...left, ...right);
  }
  if (left instanceof Duration && right instanceof Timestamp) return shift(right, left.nanos);
  if (left instanceof Timestamp && right instanceof Duration) return shift(left, right.nanos);
  if (left instanceof Duration && right instanceof Duration) {
    return checkedDuration(left.nanos + right.nanos);
  }
  return calculate(left, right, PLUS);
}

function subtract(left: Value, right: Value): Value {
  if (left instanceof Timestamp && right instanceof Timestamp) {
    return checkedDuration(left.epochNanos - right.epochNanos);
  }
  if (left instanceof Timestamp && right instanceof Duration) return shift(left, -right.nanos);
  if (left instanceof Duration && right instanceof Duration) {
    return checkedDuration(left.nanos - right.nanos);
  }
  return calculate(left, right, MINUS);
}

function shift(time: Timestamp, nanos: bigint): Value {
  return checkedTimestamp(new Timestamp(time.epochNanos + nanos, time.offsetMinutes));
}

function negate(value: Value): Value {
  if (typeof value === "bigint") return checkedInt(-value);
  if (typeof value === "number") return -value;
  return value instanceof Duration ? checkedDuration(-value.nanos) : NO_SUCH_OVERLOAD;
}

type Row = readonly [id: string, left: CelType, right: CelType, result: CelType];

function binary(
  name: string,
  rows: readonly Row[],
  call: (left: Value, right: Value, meter: Meter) => Value,
): FunctionDeclaration {
  const overloads = rows.map(([id, l, r, result]): Overload => overload([id, [l, r], result]));
  return {
    name,
    overloads,
    singleton: {
      call: ([left = null, right = null], meter) => call(left, right, meter),
      accepts: (first) => accepts(first, rows),
    },
  };
}

function accepts(first: Value, rows: readonly Row[]): boolean {
  if (isNumeric(first)) return typeof first !== "number" || rows.some(([, l]) => l === DOUBLE);
  if (first instanceof CelList) return rows.some(([, l]) => l.kind === "list");
  if (first instanceof Duration) return rows.some(([, l]) => l === DURATION);
  if (first instanceof Timestamp) return rows.some(([, l]) => l === TIMESTAMP);
  if (typeof first === "string") return rows.some(([, l]) => l === STRING);
  return first instanceof Uint8Array && rows.some(([, l]) => l === BYTES);
}

/** The operators that calculate. */
export const ARITHMETIC_FUNCTIONS: readonly FunctionDeclaration[] = [
  binary(
    OPERATORS.add,
    [
      ["add_bytes", BYTES, BYTES, BYTES],
      ["add_double", DOUBLE, DOUBLE, DOUBLE],
      ["add_duration_duration", DURATION, DURATION, DURATION],
      ["add_duration_timestamp", DURATION, TIMESTAMP, TIMESTAMP],
      ["add_timestamp_duration", TIMESTAMP, DURATION, TIMESTAMP],
      ["add_int64", INT, INT, INT],
      ["add_list", LIST_A, LIST_A, LIST_A],
      ["add_string", STRING, STRING, STRING],
      ["add_uint64", UINT, UINT, UINT],
    ],
    add,
  ),
  binary(
    OPERATORS.divide,
    [
      ["divide_double", DOUBLE, DOUBLE, DOUBLE],
      ["divide_int64", INT, INT, INT],
      ["divide_uint64", UINT, UINT, UINT],
    ],
    (left, right) => calculate(left, right, DIVIDE),
  ),
  binary(
    OPERATORS.modulo,
    [
      ["modulo_int64", INT, INT, INT],
      ["modulo_uint64", UINT, UINT, UINT],
    ],
    (left, right) => calculate(left, right, MODULO),
  ),
  binary(
    OPERATORS.multiply,
    [
      ["multiply_double", DOUBLE, DOUBLE, DOUBLE],
      ["multiply_int64", INT, INT, INT],
      ["multiply_uint64", UINT, UINT, UINT],
    ],
    (left, right) => calculate(left, right, TIMES),
  ),
  {
    name: OPERATORS.negate,
    overloads: [
      overload(["negate_double", [DOUBLE], DOUBLE]),
      overload(["negate_int64", [INT], INT]),
    ],
    singleton: {
      call: ([value = null]) => negate(value),
      accepts: (first) =>
        first instanceof Duration || (isNumeric(first) && !(first instanceof Uint)),
    },
  },
  binary(
    OPERATORS.subtract,
    [
      ["subtract_double", DOUBLE, DOUBLE, DOUBLE],
      ["subtract_duration_duration", DURATION, DURATION, DURATION],
      ["subtract_int64", INT, INT, INT],
      ["subtract_timestamp_duration", TIMESTAMP, DURATION, TIMESTAMP],
      ["subtract_timestamp_timestamp", TIMESTAMP, TIMESTAMP, DURATION],
      ["subtract_uint64", UINT, UINT, UINT],
    ],
    subtract,
  ),
];
