import type { JSONSchemaProps } from "../json-schema-props.ts";

/** Whether `items` is one schema; a list of schemas is refused, and otherwise ignored. */
export function isSchema(items: JSONSchemaProps["items"]): items is JSONSchemaProps {
  return items !== undefined && !Array.isArray(items);
}
