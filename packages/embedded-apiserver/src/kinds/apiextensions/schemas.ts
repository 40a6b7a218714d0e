import type { JSONSchemaProps } from "@rookery/schema";

/** Whether a schema, or any one in it, is such. */
export function someSchema(
  schema: JSONSchemaProps,
  is: (schema: JSONSchemaProps) => boolean,
): boolean {
  return is(schema) || childrenOf(schema).some((child) => someSchema(child, is));
}

function childrenOf(schema: JSONSchemaProps): JSONSchemaProps[] {
  const { items, not, additionalProperties, additionalItems } = schema;
  const single = [not, additionalProperties, additionalItems].filter(isSchema);
  const listed = Array.isArray(items) ? items : isSchema(items) ? [items] : [];
  const dependencies = Object.values(schema.dependencies ?? {}).filter(isSchema);
  return [
    ...listed,
    ...[schema.allOf, schema.anyOf, schema.oneOf].flatMap((each) => each ?? []),
    ...[schema.properties, schema.patternProperties, schema.definitions].flatMap((each) =>
      Object.values(each ?? {}),
    ),
    ...single,
    ...dependencies,
  ];
}

function isSchema(value: unknown): value is JSONSchemaProps {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
