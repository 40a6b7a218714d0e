import { isArray, isInt64, isObject, type JSONValue } from "../json.ts";
import type { SchemaNode } from "../schema-node.ts";
import type { ValuePath } from "./value-path.ts";
import { type Violation, wrongType } from "./violation.ts";

type JSONType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

function jsonTypeOf(value: JSONValue): JSONType {
  if (value === null) return "null";
  if (isArray(value)) return "array";
  if (isObject(value)) return "object";
  if (typeof value === "number") return isInt64(value) ? "integer" : "number";
  return typeof value === "boolean" ? "boolean" : "string";
}

const NUMBER_FORMATS: Partial<Record<JSONType, string>> = { integer: "int64", number: "float64" };

export function checkType(
  node: SchemaNode,
  value: JSONValue,
  path: ValuePath,
): Violation | undefined {
  const { types } = node;
  const type = jsonTypeOf(value);
  if (type === "null") {
    const allowed = types.length === 0 || node.nullable;
    return allowed ? undefined : wrongType(path, types.join(","), "null");
  }
  const matches = types.includes(type) || standsFor(type, value, types);
  const format = node.constraints.format?.name;
  if (format !== undefined) {
    const textual = type === "string" || type === "array";
    const numeric = types.includes("number") || types.includes("integer");
    if (!textual && !matches) return wrongType(path, format, NUMBER_FORMATS[type] ?? "");
    // With a format, Kubernetes accepts any text and any list as the right type.
    if (textual && !numeric) return undefined;
  }
  return matches || types.length === 0 ? undefined : wrongType(path, types.join(","), type);
}

/** Integers are numbers, and numbers without a fraction are integers. */
function standsFor(type: JSONType, value: JSONValue, types: readonly string[]): boolean {
  if (type === "integer") return types.includes("number");
  return type === "number" && types.includes("integer") && isNearlyInteger(value as number);
}

/** A JSON number that a float64 represents exactly, within a relative error of 1e-9. */
function isNearlyInteger(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const truncated = Math.trunc(value);
  if (value === truncated) return true;
  const difference = Math.abs(value - truncated);
  return truncated !== 0 && difference / (Math.abs(value) + Math.abs(truncated)) < 1e-9;
}
