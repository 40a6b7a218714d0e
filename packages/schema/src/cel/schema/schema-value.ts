import { parseLooseDuration } from "../../formats/duration.ts";
import { deepEqualJson, isArray, isInt64, isObject, type JSONValue } from "../../json.ts";
import type { SchemaNode } from "../../schema-node.ts";
import { Duration, localTimeProblem, parseDate, parseTimestamp, Timestamp } from "../../time.ts";
import { opaqueType } from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import { CelError, Opaque, type Value } from "../values/value.ts";
import { SchemaList } from "./schema-list.ts";
import { SchemaMap } from "./schema-map.ts";

/** The value of data in rules. Lists and objects convert their parts on demand. */
export function toCelValue(data: JSONValue, node: SchemaNode): Value {
  if (data === null) {
    if (node.nullable) return null;
    return new CelError("invalid data, got null for schema with nullable=false");
  }
  if (node.intOrString) return intOrString(data);
  switch (node.type) {
    case "object":
      return isObject(data) ? new SchemaMap(data, node, toCelValue) : wrongShape("a map", "object");
    case "array":
      return listOf(data, node);
    case "string":
      return typeof data === "string" ? stringOf(data, node) : wrongType("string", data);
    case "number":
      return typeof data === "number" ? data : wrongType("float", data);
    case "integer":
      return typeof data === "number" && isInt64(data) ? BigInt(data) : wrongType("int", data);
    case "boolean":
      return typeof data === "boolean" ? data : wrongType("bool", data);
    default:
      return node.preserveUnknownFields ? new PreservedValue(data) : noType(node);
  }
}

function listOf(data: JSONValue, node: SchemaNode): Value {
  if (!isArray(data)) return wrongShape("an array", "array");
  if (node.items) return SchemaList.of(data, node, toCelValue);
  return new CelError("invalid array type, expected Items with a non-empty Schema");
}

function intOrString(data: JSONValue): Value {
  if (typeof data === "string") return data;
  if (typeof data === "number" && isInt64(data)) return BigInt(data);
  return new CelError("invalid data, expected XIntOrString value to be either a string or integer");
}

function stringOf(text: string, { source }: SchemaNode): Value {
  switch (source.format) {
    case "duration": {
      const nanos = parseLooseDuration(text);
      return nanos === undefined ? malformed("duration", text) : new Duration(nanos);
    }
    case "date":
      return parseDate(text) ?? malformed("date formatted string", text);
    case "date-time":
      if (text === "") return new Timestamp(0n);
      return (
        parseTimestamp(text, true) ??
        malformed("date-time formatted string", `${text}: ${localTimeProblem(text)}`)
      );
    case "byte": {
      const bytes = decodeBase64Url(text);
      if (typeof bytes !== "number") return bytes;
      const problem = `illegal base64 data at input byte ${bytes}`;
      return malformed("byte formatted string", `${text}: ${problem}`);
    }
    default:
      return text;
  }
}

function malformed(what: string, text: string): CelError {
  return new CelError(`Invalid ${what} ${text}`);
}

function wrongShape(shape: string, type: string): CelError {
  return new CelError(`invalid data, expected ${shape} for the provided schema with type=${type}`);
}

function wrongType(expected: string, data: JSONValue): CelError {
  return new CelError(`invalid data, expected ${expected}, got ${goTypeOf(data)}`);
}

function noType({ type }: SchemaNode): CelError {
  return new CelError(
    `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${type}`,
  );
}

function goTypeOf(data: JSONValue): string {
  if (isArray(data)) return "[]interface {}";
  if (isObject(data)) return "map[string]interface {}";
  if (typeof data === "number") return isInt64(data) ? "int64" : "float64";
  return typeof data === "boolean" ? "bool" : typeof data;
}

/**
 * Decodes the format "byte" as rules do, in the URL-safe alphabet with padding. Returns the index
 * of the first invalid character on failure.
 */
function decodeBase64Url(text: string): Uint8Array | number {
  const digits = text.replace(/={1,2}$/, "");
  const strange = digits.search(/[^A-Za-z0-9_-]/);
  if (strange >= 0) return strange;
  if (text.length % 4 !== 0) return text.length - (text.length % 4);
  return new Uint8Array(Buffer.from(digits, "base64url"));
}

const UNKNOWN = opaqueType("unknown");

/** Untyped data, which rules can only compare. */
class PreservedValue extends Opaque {
  readonly type = UNKNOWN;
  readonly #data: JSONValue;

  constructor(data: JSONValue) {
    super();
    this.#data = data;
  }

  equals(other: Value, meter: Meter): boolean {
    if (!(other instanceof PreservedValue)) return false;
    return deepEqualJson(this.#data, other.#data, () => meter.work(1));
  }
}
