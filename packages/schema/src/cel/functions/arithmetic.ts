import { Duration, Timestamp } from "../../time.ts";
import type { Meter } from "../meter.ts";
import { OPERATORS } from "../syntax/ast.ts";
import { isNumeric } from "../values/numbers.ts";
import { CelError, CelList, NO_SUCH_OVERLOAD, typeOf, Uint, type Value } from "../values/value.ts";
import { checkedDuration, checkedInt, checkedTimestamp, checkedUint } from "./checked.ts";
import { type FunctionDeclaration, type Overload, overloadsOf } from "./declare.ts";

type Operation = {
  readonly integers: (a: bigint, b: bigint) => bigint;
  readonly doubles?: (a: number, b: number) => number;
  /** The error of a zero on the right; undefined where it is allowed. */
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

function binary(
  name: string,
  signatures: readonly string[],
  call: (left: Value, right: Value, meter: Meter) => Value,
): FunctionDeclaration {
  const overloads = overloadsOf(...signatures);
  return {
    name,
    overloads,
    singleton: {
      call: ([left = null, right = null], meter) => call(left, right, meter),
      accepts: (first) => accepts(first, overloads),
    },
  };
}

/** Ints and uints have every operation. */
function accepts(first: Value, overloads: readonly Overload[]): boolean {
  const { kind } = typeOf(first);
  if (kind === "int" || kind === "uint") return true;
  return overloads.some(({ args }) => args[0]?.kind === kind);
}

export const ARITHMETIC_FUNCTIONS: readonly FunctionDeclaration[] = [
  binary(
    OPERATORS.add,
    [
      "add_bytes: (bytes, bytes) -> bytes",
      "add_double: (double, double) -> double",
      "add_duration_duration: (duration, duration) -> duration",
      "add_duration_timestamp: (duration, timestamp) -> timestamp",
      "add_timestamp_duration: (timestamp, duration) -> timestamp",
      "add_int64: (int, int) -> int",
      "add_list: (list(A), list(A)) -> list(A)",
      "add_string: (string, string) -> string",
      "add_uint64: (uint, uint) -> uint",
    ],
    add,
  ),
  binary(
    OPERATORS.divide,
    [
      "divide_double: (double, double) -> double",
      "divide_int64: (int, int) -> int",
      "divide_uint64: (uint, uint) -> uint",
    ],
    (left, right) => calculate(left, right, DIVIDE),
  ),
  binary(
    OPERATORS.modulo,
    ["modulo_int64: (int, int) -> int", "modulo_uint64: (uint, uint) -> uint"],
    (left, right) => calculate(left, right, MODULO),
  ),
  binary(
    OPERATORS.multiply,
    [
      "multiply_double: (double, double) -> double",
      "multiply_int64: (int, int) -> int",
      "multiply_uint64: (uint, uint) -> uint",
    ],
    (left, right) => calculate(left, right, TIMES),
  ),
  {
    name: OPERATORS.negate,
    overloads: overloadsOf("negate_double: (double) -> double", "negate_int64: (int) -> int"),
    singleton: {
      call: ([value = null]) => negate(value),
      accepts: (first) =>
        first instanceof Duration || (isNumeric(first) && !(first instanceof Uint)),
    },
  },
  binary(
    OPERATORS.subtract,
    [
      "subtract_double: (double, double) -> double",
      "subtract_duration_duration: (duration, duration) -> duration",
      "subtract_int64: (int, int) -> int",
      "subtract_timestamp_duration: (timestamp, duration) -> timestamp",
      "subtract_timestamp_timestamp: (timestamp, timestamp) -> duration",
      "subtract_uint64: (uint, uint) -> uint",
    ],
    subtract,
  ),
];
