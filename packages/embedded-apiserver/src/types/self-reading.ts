import { DecodeError } from "@rookery/apiserver";
import { ParseError, parseQuantity } from "@rookery/kube";
import { describeValue, type MakeRead, type Read } from "./reading.ts";
import { describeInteger, isInt32 } from "./scalars.ts";

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
