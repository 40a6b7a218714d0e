import { formatFloat, quote } from "@rookery/kube";
import { Duration, Timestamp } from "../../time.ts";
import { CelType } from "../cel-type.ts";
import { compareStrings } from "../values/order.ts";
import { CelError, CelList, CelMap, typeOf, Uint, type Value } from "../values/value.ts";

/** The text of a value, or why the clause rejects it. */
type Formatted = string | { readonly problem: string };
export type Formatter = (value: Value, precision: number | undefined) => Formatted;

const DEFAULT_PRECISION = 6;
const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() };

const wordings: Readonly<Record<string, string>> = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  d: "decimal clause can only be used on integers",
  f: "fixed-point clause can only be used on doubles",
  e: "scientific clause can only be used on doubles",
  b: "only integers and bools can be formatted as binary",
  x: "only integers, byte buffers, and strings can be formatted as hex",
  X: "only integers, byte buffers, and strings can be formatted as hex",
  o: "octal clause can only be used on integers",
};

/** The error of a clause for a value of the wrong type. */
export function wrongType(verb: string, typeName: string): string {
  return `${wordings[verb]}, was given ${typeName}`;
}

/** By clause letter. */
export const FORMATTERS: ReadonlyMap<string, Formatter> = new Map<string, Formatter>([
  ["s", (value) => formatAsString(value) ?? refuse("s", value)],
  ["d", (value) => formatInteger(value, 10) ?? refuse("d", value)],
  ["f", (value, precision) => formatFixed(value, precision) ?? refuse("f", value)],
  ["e", (value) => formatScientific(value) ?? refuse("e", value)],
  [
    "b",
    (value) =>
      typeof value === "boolean"
        ? value
          ? "1"
          : "0"
        : (formatInteger(value, 2) ?? refuse("b", value)),
  ],
  ["x", (value) => formatHex(value) ?? refuse("x", value)],
  ["X", (value) => formatHex(value)?.toUpperCase() ?? refuse("X", value)],
  ["o", (value) => formatInteger(value, 8) ?? refuse("o", value)],
]);

function refuse(verb: string, value: Value): Formatted {
  return { problem: wrongType(verb, typeOf(value).name) };
}

function formatInteger(value: Value, radix: number): string | undefined {
  if (typeof value === "bigint") return value.toString(radix);
  return value instanceof Uint ? value.value.toString(radix) : undefined;
}

function formatHex(value: Value): string | undefined {
  if (typeof value === "string") return hexOf(utf8.encoder.encode(value));
  return value instanceof Uint8Array ? hexOf(value) : formatInteger(value, 16);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Doubles, and their three special words. */
function asDouble(value: Value): number | undefined {
  if (typeof value === "number") return value;
  return value === "NaN" || value === "Infinity" || value === "-Infinity"
    ? Number(value)
    : undefined;
}

/** In the locale en_US, with commas between thousands. */
function formatFixed(value: Value, precision = DEFAULT_PRECISION): string | undefined {
  const double = asDouble(value);
  if (double === undefined) return undefined;
  const digits = Math.min(precision, 100);
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat("en-US", options).format(double);
}

/** In the locale en_US, which ignores the precision. */
function formatScientific(value: Value): string | undefined {
  const double = asDouble(value);
  if (double === undefined) return undefined;
  if (!Number.isFinite(double)) return Number.isNaN(double) ? "NaN" : double > 0 ? "∞" : "-∞";
  const [mantissa = "", exponent = "+0"] = double.toExponential(DEFAULT_PRECISION).split("e");
  const digits = exponent.slice(1).padStart(2, "0");
  const raised = Array.from(digits, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${mantissa}×10${exponent.startsWith("-") ? "⁻" : ""}${raised}`;
}

function formatAsString(value: Value): string | undefined {
  if (value instanceof CelList) return formatList(value);
  if (value instanceof CelMap) return formatMap(value);
  if (typeof value === "number") return formatFloat(value);
  if (value === null) return "null";
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return utf8.decoder.decode(value);
  if (value instanceof CelType) return value.name;
  const scalar = ["string", "bigint", "boolean"].includes(typeof value);
  const time = value instanceof Duration || value instanceof Timestamp;
  return scalar || time ? String(value) : undefined;
}

/** Inside of lists and maps, strings are quoted and doubles have six decimals. */
function formatNested(value: Value): string | undefined {
  if (typeof value === "string") return quote(value);
  if (value instanceof Uint8Array) return `b${quote(utf8.decoder.decode(value))}`;
  if (typeof value === "number") {
    return Number.isFinite(value) ? value.toFixed(DEFAULT_PRECISION) : quote(formatFloat(value));
  }
  if (value instanceof Timestamp) return `timestamp(${quote(value.toString())})`;
  if (value instanceof Duration) return `duration(${quote(value.toString())})`;
  return formatAsString(value);
}

function formatList(list: CelList): string | undefined {
  const elements = [...list].map(formatNested);
  return elements.includes(undefined) ? undefined : `[${elements.join(", ")}]`;
}

function formatMap(map: CelMap): string | undefined {
  const entries: [string, string][] = [];
  for (const key of map.keys()) {
    const value = map.find(key);
    const text = value === undefined || value instanceof CelError ? undefined : formatNested(value);
    const name = formatNested(key);
    if (text === undefined || name === undefined) return undefined;
    entries.push([name, text]);
  }
  entries.sort(([a], [b]) => compareStrings(a, b));
  return `{${entries.map(([name, text]) => `${name}:${text}`).join(", ")}}`;
}
