import type { JSONSchemaProps } from "../json-schema-props.ts";

/** Whether `items` is one schema; a list of schemas is refused, and otherwise ignored. */
export function isSchema(items: JSONSchemaProps["items"]): items is JSONSchemaProps {
  return items !== undefined && !Array.isArray(items);
}

/** The schema of a property that is there itself: `constructor` is a name too. */
export function propertyOf(
  { properties }: JSONSchemaProps,
  name: string,
): JSONSchemaProps | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
