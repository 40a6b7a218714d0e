import { isArray, isObject } from "./json-object.ts";
import type { JSONValue } from "./json-schema-props.ts";

/** JSON with sorted keys: equal values have equal texts. */
export function canonicalJson(value: JSONValue): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${fields.join()}}`;
}
