import { parseDuration } from "@rookery/kube";
import { type Duration, parseTimestamp, Timestamp } from "../../time.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  STRING,
  TIMESTAMP,
  typeOfType,
  typeParam,
  UINT,
} from "../cel-type.ts";
import { CelError } from "../values/cel-error.ts";
import { formatDouble } from "../values/format-double.ts";
import { MAX_INT64, MAX_UINT64, MIN_INT64 } from "../values/numbers.ts";
import { Uint } from "../values/uint.ts";
import { typeOf, type Value } from "../values/value.ts";
import { checkedDuration, checkedInt, checkedTimestamp, checkedUint } from "./checked.ts";
import { type FunctionDeclaration, type Overload, overload } from "./declare.ts";

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder("utf-8", { fatal: true }) };
const A = typeParam("A");

type Conversion = readonly [id: string, from: CelType, convert: (value: never) => Value];

function conversion(to: CelType, name: string, rows: readonly Conversion[]): FunctionDeclaration {
  const overloads = rows.map(
    ([id, from, convert]): Overload =>
      overload([id, [from], to], ([value]) => (convert as (value: unknown) => Value)(value)),
  );
  return { name, overloads };
}

const same = (value: Value): Value => value;

function failed(from: CelType, to: CelType): CelError {
  return new CelError(`type conversion error from '${from.name}' to '${to.name}'`);
}

/** Reads no more digits than fit into 64 bits: the time that BigInt takes is not linear. */
function parseInteger(text: string, pattern: RegExp): bigint | undefined {
  const [, sign, given] = pattern.exec(text) ?? [];
  if (given === undefined) return undefined;
  const digits = given.replace(/^0+(?=[0-9])/, "");
  if (digits.length > 20) return undefined;
  return sign === "-" ? -BigInt(digits) : BigInt(digits);
}

function stringToInt(text: string): Value {
  const value = parseInteger(text, /^([+-]?)([0-9]+)$/);
  const fits = value !== undefined && value >= MIN_INT64 && value <= MAX_INT64;
  return fits ? value : failed(STRING, INT);
}

function stringToUint(text: string): Value {
  const value = parseInteger(text, /^()([0-9]+)$/);
  return value !== undefined && value <= MAX_UINT64 ? new Uint(value) : failed(STRING, UINT);
}

function stringToDouble(text: string): Value {
  const special = /^([+-]?)(inf|infinity)$/i.exec(text);
  if (special) return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (!/^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) {
    return failed(STRING, DOUBLE);
  }
  const value = Number(text);
  return Number.isFinite(value) ? value : failed(STRING, DOUBLE);
}

function stringToBool(text: string): Value {
  if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return true;
  return /^(?:0|f|F|FALSE|false|False)$/.test(text) ? false : failed(STRING, BOOL);
}

function stringToDuration(text: string): Value {
  try {
    return checkedDuration(parseDuration(text));
  } catch {
    return failed(STRING, DURATION);
  }
}

function stringToTimestamp(text: string): Value {
  const time = parseTimestamp(text);
  return time ? checkedTimestamp(time) : failed(STRING, TIMESTAMP);
}

function bytesToString(bytes: Uint8Array): Value {
  try {
    return utf8.decoder.decode(bytes);
  } catch {
    return new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

function doubleToInt(value: number): Value {
  const fits = value > Number(MIN_INT64) && value < Number(MAX_INT64);
  return fits ? BigInt(Math.trunc(value)) : new CelError("integer overflow");
}

function doubleToUint(value: number): Value {
  const fits = value >= 0 && value < 2 ** 64;
  return fits ? new Uint(BigInt(Math.trunc(value))) : new CelError("unsigned integer overflow");
}

/** `int()`, `string()` and the other functions named after a type. */
export const CONVERSION_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "type",
    overloads: [overload(["type", [A], typeOfType(A)])],
    singleton: { call: ([value = null]) => typeOf(value), accepts: () => true },
  },
  {
    name: "dyn",
    overloads: [overload(["to_dyn", [A], DYN])],
    singleton: { call: ([value = null]) => value, accepts: () => true },
  },
  conversion(BOOL, "bool", [
    ["bool_to_bool", BOOL, same],
    ["string_to_bool", STRING, stringToBool],
  ]),
  conversion(BYTES, "bytes", [
    ["bytes_to_bytes", BYTES, same],
    ["string_to_bytes", STRING, (text: string) => utf8.encoder.encode(text)],
  ]),
  conversion(DOUBLE, "double", [
    ["double_to_double", DOUBLE, same],
    ["int64_to_double", INT, (value: bigint) => Number(value)],
    ["string_to_double", STRING, stringToDouble],
    ["uint64_to_double", UINT, (value: Uint) => Number(value.value)],
  ]),
  conversion(DURATION, "duration", [
    ["duration_to_duration", DURATION, same],
    ["int64_to_duration", INT, () => failed(INT, DURATION)],
    ["string_to_duration", STRING, stringToDuration],
  ]),
  conversion(INT, "int", [
    ["int64_to_int64", INT, same],
    ["double_to_int64", DOUBLE, doubleToInt],
    ["duration_to_int64", DURATION, (value: Duration) => value.nanos],
    ["string_to_int64", STRING, stringToInt],
    ["timestamp_to_int64", TIMESTAMP, (value: Timestamp) => value.epochSeconds],
    ["uint64_to_int64", UINT, (value: Uint) => checkedInt(value.value)],
  ]),
  conversion(STRING, "string", [
    ["string_to_string", STRING, same],
    ["bool_to_string", BOOL, (value: boolean) => String(value)],
    ["bytes_to_string", BYTES, bytesToString],
    ["double_to_string", DOUBLE, (value: number) => formatDouble(value)],
    ["duration_to_string", DURATION, (value: Duration) => value.toString()],
    ["int64_to_string", INT, (value: bigint) => String(value)],
    ["timestamp_to_string", TIMESTAMP, (value: Timestamp) => value.toString()],
    ["uint64_to_string", UINT, (value: Uint) => String(value.value)],
  ]),
  conversion(TIMESTAMP, "timestamp", [
    ["timestamp_to_timestamp", TIMESTAMP, same],
    ["int64_to_timestamp", INT, (s: bigint) => checkedTimestamp(new Timestamp(s * 10n ** 9n))],
    ["string_to_timestamp", STRING, stringToTimestamp],
  ]),
  conversion(UINT, "uint", [
    ["uint64_to_uint64", UINT, same],
    ["double_to_uint64", DOUBLE, doubleToUint],
    ["int64_to_uint64", INT, (value: bigint) => checkedUint(value)],
    ["string_to_uint64", STRING, stringToUint],
  ]),
];

/** Names of functions whose call on a constant is a constant itself. */
export const CONVERSION_NAMES: ReadonlySet<string> = new Set(
  CONVERSION_FUNCTIONS.map((declaration) => declaration.name),
);
