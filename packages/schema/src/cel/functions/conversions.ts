import { formatFloat, parseDuration } from "@rookery/kube";
import { type Duration, parseTimestamp, Timestamp } from "../../time.ts";
import { BOOL, type CelType, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT } from "../cel-type.ts";
import { MAX_INT64, MAX_UINT64, MIN_INT64 } from "../values/numbers.ts";
import { CelError, typeOf, Uint, type Value } from "../values/value.ts";
import { checkedDuration, checkedInt, checkedTimestamp, checkedUint } from "./checked.ts";
import { declareFunctions, type FunctionDeclaration, overloadsOf } from "./declare.ts";

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder("utf-8", { fatal: true }) };

const same = ([value = null]: readonly Value[]): Value => value;

function failed(from: CelType, to: CelType): CelError {
  return new CelError(`type conversion error from '${from.name}' to '${to.name}'`);
}

/** Limits the digits to 64 bits, because BigInt takes more than linear time. */
function parseInteger(text: string, pattern: RegExp): bigint | undefined {
  const [, sign, given] = pattern.exec(text) ?? [];
  if (given === undefined) return undefined;
  const digits = given.replace(/^0+(?=[0-9])/, "");
  if (digits.length > 20) return undefined;
  return sign === "-" ? -BigInt(digits) : BigInt(digits);
}

function stringToInt([text]: [string]): Value {
  const value = parseInteger(text, /^([+-]?)([0-9]+)$/);
  const fits = value !== undefined && value >= MIN_INT64 && value <= MAX_INT64;
  return fits ? value : failed(STRING, INT);
}

function stringToUint([text]: [string]): Value {
  const value = parseInteger(text, /^()([0-9]+)$/);
  return value !== undefined && value <= MAX_UINT64 ? new Uint(value) : failed(STRING, UINT);
}

function stringToDouble([text]: [string]): Value {
  const special = /^([+-]?)(inf|infinity)$/i.exec(text);
  if (special) return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (!/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) {
    return failed(STRING, DOUBLE);
  }
  const value = Number(text);
  return Number.isFinite(value) ? value : failed(STRING, DOUBLE);
}

function stringToBool([text]: [string]): Value {
  if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return true;
  return /^(?:0|f|F|FALSE|false|False)$/.test(text) ? false : failed(STRING, BOOL);
}

function stringToDuration([text]: [string]): Value {
  try {
    return checkedDuration(parseDuration(text));
  } catch {
    return failed(STRING, DURATION);
  }
}

function stringToTimestamp([text]: [string]): Value {
  const time = parseTimestamp(text);
  return time ? checkedTimestamp(time) : failed(STRING, TIMESTAMP);
}

function bytesToString([bytes]: [Uint8Array]): Value {
  try {
    return utf8.decoder.decode(bytes);
  } catch {
    return new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

function doubleToInt([value]: [number]): Value {
  const fits = value > Number(MIN_INT64) && value < Number(MAX_INT64);
  return fits ? BigInt(Math.trunc(value)) : new CelError("integer overflow");
}

function doubleToUint([value]: [number]): Value {
  const fits = value >= 0 && value < 2 ** 64;
  return fits ? new Uint(BigInt(Math.trunc(value))) : new CelError("unsigned integer overflow");
}

/** `int()`, `string()` and the other functions named after types. */
export const CONVERSION_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "type",
    overloads: overloadsOf("type: (A) -> type(A)"),
    singleton: { call: ([value = null]) => typeOf(value), accepts: () => true },
  },
  {
    name: "dyn",
    overloads: overloadsOf("to_dyn: (A) -> dyn"),
    singleton: { call: ([value = null]) => value, accepts: () => true },
  },
  ...declareFunctions({
    bool: {
      "bool_to_bool: (bool) -> bool": same,
      "string_to_bool: (string) -> bool": stringToBool,
    },
    bytes: {
      "bytes_to_bytes: (bytes) -> bytes": same,
      "string_to_bytes: (string) -> bytes": ([text]: [string]) => utf8.encoder.encode(text),
    },
    double: {
      "double_to_double: (double) -> double": same,
      "int64_to_double: (int) -> double": ([value]: [bigint]) => Number(value),
      "string_to_double: (string) -> double": stringToDouble,
      "uint64_to_double: (uint) -> double": ([{ value }]: [Uint]) => Number(value),
    },
    duration: {
      "duration_to_duration: (duration) -> duration": same,
      "int64_to_duration: (int) -> duration": () => failed(INT, DURATION),
      "string_to_duration: (string) -> duration": stringToDuration,
    },
    int: {
      "int64_to_int64: (int) -> int": same,
      "double_to_int64: (double) -> int": doubleToInt,
      "duration_to_int64: (duration) -> int": ([{ nanos }]: [Duration]) => nanos,
      "string_to_int64: (string) -> int": stringToInt,
      "timestamp_to_int64: (timestamp) -> int": ([time]: [Timestamp]) => time.epochSeconds,
      "uint64_to_int64: (uint) -> int": ([{ value }]: [Uint]) => checkedInt(value),
    },
    string: {
      "string_to_string: (string) -> string": same,
      "bool_to_string: (bool) -> string": ([value]: [boolean]) => String(value),
      "bytes_to_string: (bytes) -> string": bytesToString,
      "double_to_string: (double) -> string": ([value]: [number]) => formatFloat(value),
      "duration_to_string: (duration) -> string": ([value]: [Duration]) => String(value),
      "int64_to_string: (int) -> string": ([value]: [bigint]) => String(value),
      "timestamp_to_string: (timestamp) -> string": ([value]: [Timestamp]) => String(value),
      "uint64_to_string: (uint) -> string": ([{ value }]: [Uint]) => String(value),
    },
    timestamp: {
      "timestamp_to_timestamp: (timestamp) -> timestamp": same,
      "int64_to_timestamp: (int) -> timestamp": ([seconds]: [bigint]) =>
        checkedTimestamp(new Timestamp(seconds * 10n ** 9n)),
      "string_to_timestamp: (string) -> timestamp": stringToTimestamp,
    },
    uint: {
      "uint64_to_uint64: (uint) -> uint": same,
      "double_to_uint64: (double) -> uint": doubleToUint,
      "int64_to_uint64: (int) -> uint": ([value]: [bigint]) => checkedUint(value),
      "string_to_uint64: (string) -> uint": stringToUint,
    },
  }),
];

/** Functions that the planner evaluates for constants. */
export const CONVERSION_NAMES: ReadonlySet<string> = new Set(
  CONVERSION_FUNCTIONS.map((declaration) => declaration.name),
);
