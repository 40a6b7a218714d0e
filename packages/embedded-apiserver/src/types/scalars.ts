import { DecodeError, inexactInteger, isInexact } from "@rookery/apiserver";
import { formatTime, ParseError, parseMicroTime, parseQuantity, parseTime } from "@rookery/kube";
import { describeValue, type MakeRead, type Read, type Reading } from "./reading.ts";

/** A quantity in canonical form, from text or a number. */
export const quantityReader: MakeRead =
  () =>
  (value, { literal }) => {
    const text = literal ?? (typeof value === "object" ? JSON.stringify(value) : String(value));
    try {
      return parseQuantity(text.trim()).toString();
    } catch (error) {
      if (error instanceof ParseError) throw new DecodeError(error.reason, { cause: error });
      throw error;
    }
  };

export const intOrStringReader: MakeRead = () => (value, reading) => {
  if (typeof value === "string" || isInt32(value, reading)) return value;
  return reading.fail(describeInteger(value, reading), "int32");
};

/** Any JSON. */
export const rawReader: MakeRead = () => (value) => value;

/** A schema, or a list of schemas. Other values are dropped. */
export const schemaOrArrayReader =
  (schema: Read): Read =>
  (value, reading) =>
    reading.leniently(() => {
      if (!Array.isArray(value)) return isObject(value) ? schema(value, reading) : null;
      if (value.length === 0) return null;
      return value.map((item) => readSchema(item ?? {}, reading, schema));
    });

/** A schema, or a list of field names. Other values are dropped. */
export const schemaOrStringsReader =
  (schema: Read): Read =>
  (value, reading) =>
    reading.leniently(() => {
      if (!Array.isArray(value)) return isObject(value) ? schema(value, reading) : null;
      if (value.length === 0) return null;
      return value.map((item) => {
        if (item === null) return "";
        return typeof item === "string" ? item : reading.fail(describeValue(item), "string");
      });
    });

export const schemaOrBoolReader =
  (schema: Read): Read =>
  (value, reading) => {
    if (typeof value === "boolean") return value;
    if (!isObject(value)) throw new DecodeError("boolean or JSON schema expected");
    return reading.leniently(() => schema(value, reading));
  };

const readSchema: (value: unknown, reading: Parameters<Read>[1], schema: Read) => unknown = (
  value,
  reading,
  schema,
) => schema(value, reading);

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const byteItem = (value: unknown, reading: Reading): number => {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256) return Number(value);
  if (value !== null) reading.mismatch(describeInteger(value, reading), "uint8");
  return 0;
};

/** Base64 text, or a list of numbers, which Go accepts too. */
export const bytesReader: MakeRead =
  ({ name }) =>
  (value, reading) => {
    if (typeof value === "string") return canonicalBase64(value, reading);
    if (!Array.isArray(value)) return reading.mismatch(describeValue(value), name);
    return Buffer.from(value.map((item) => byteItem(item, reading))).toString("base64");
  };

const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;

function canonicalBase64(value: string, reading: Reading): string | undefined {
  const text = /[\r\n]/.test(value) ? value.replace(/[\r\n]/g, "") : value;
  if (text.length % 4 !== 0 || !base64Text.test(text)) {
    return reading.problem(`illegal base64 data at input byte ${corruptByte(value)}`);
  }
  return Buffer.from(text, "base64").toString("base64");
}

/** The index at which Go's decoder fails. */
function corruptByte(value: string): number {
  const bytes = Buffer.from(value);
  let digits = 0;
  for (let at = 0; at < bytes.length; at++) {
    const character = String.fromCharCode(bytes[at] ?? 0);
    if (character === "\r" || character === "\n") continue;
    if (character === "=") return corruptPadding(bytes, at, digits % 4);
    if (!/[A-Za-z0-9+/]/.test(character)) return at;
    digits++;
  }
  return bytes.length - (digits % 4);
}

/** The index of the error after the first "=". */
function corruptPadding(bytes: Buffer, at: number, digits: number): number {
  const next = (from: number) => {
    let end = from;
    while (bytes[end] === 0x0a || bytes[end] === 0x0d) end++;
    return end;
  };
  if (digits < 2) return at;
  let end = next(at + 1);
  if (digits === 2) {
    if (end === bytes.length) return bytes.length;
    if (bytes[end] !== 0x3d) return end - 1;
    end = next(end + 1);
  }
  return end;
}

/** Text. Lone surrogates become U+FFFD, as in Go. */
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

/** A number above 2^53 has lost digits before it is decoded. */
export const int64Reader: MakeRead =
  ({ name }) =>
  (value, reading) => {
    if (!isInt64(value, reading)) return reading.mismatch(describeInteger(value, reading), name);
    const { literal = "" } = reading;
    return isInexact(literal) ? reading.problem(inexactInteger(literal)) : value;
  };

/** Go does not accept 1.0 and 1e3 as integers. */
function isInt32(value: unknown, { literal }: Reading): value is number {
  return typeof value === "number" && (value | 0) === value && literal === undefined;
}

function isInt64(value: unknown, { literal }: Reading): boolean {
  if (!Number.isInteger(value)) return false;
  if (literal === undefined) return Math.abs(value as number) < 2 ** 63;
  return /^-?\d+$/.test(literal) && BigInt.asIntN(64, BigInt(literal)) === BigInt(literal);
}

/** A number is described by its literal. */
function describeInteger(value: unknown, { literal }: Reading): string {
  return typeof value === "number" ? `number ${literal ?? value}` : describeValue(value);
}

/** Go's zero time, which is written as null. */
const zeroTime = -62135596800000;
const canonicalTime = /^(?!0000|0001-01-01T00:00:00)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** metav1.Time: in UTC, to the second. */
export const timeReader: MakeRead = () => (value, reading) => {
  const date = read(value, reading, parseTime);
  if (date.getTime() === zeroTime) return null;
  return canonicalTime.test(value as string) ? value : formatTime(date);
};

/** metav1.MicroTime: in UTC, with six decimals. */
export const microTimeReader: MakeRead = () => (value, reading) => {
  const date = read(value, reading, parseMicroTime);
  const [micros = "000000"] = /(?<=[.,])\d{6}/.exec(value as string) ?? [];
  date.setUTCMilliseconds(0);
  if (date.getTime() === zeroTime && micros === "000000") return null;
  return `${formatTime(date).slice(0, -1)}.${micros}Z`;
};

function read(value: unknown, reading: Reading, parse: (text: string) => Date): Date {
  if (typeof value !== "string") return reading.fail(describeValue(value), "string");
  try {
    return parse(value);
  } catch (error) {
    if (error instanceof ParseError) throw new DecodeError(error.reason, { cause: error });
    throw error;
  }
}
