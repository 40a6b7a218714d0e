import type { JSONSchemaProps } from "../json-schema-props.ts";

const ROOT_FIELD_NAMES =
  "description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength " +
  "minLength pattern maxItems minItems uniqueItems multipleOf required items properties " +
  "externalDocs example";

/** The root fields that a schema may have beside a status subresource, with Kubernetes' names. */
export const ROOT_FIELDS: ReadonlyMap<string, string> = new Map([
  ...ROOT_FIELD_NAMES.split(" ").map((name) => [name, capitalized(name)] as const),
  ["x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields"],
  ["x-kubernetes-validations", "XValidations"],
]);

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const UNSUPPORTED: readonly (readonly [keyof JSONSchemaProps, string])[] = [
  ["id", "id"],
  ["$schema", "schema"],
  ["$ref", "$ref"],
  ["patternProperties", "patternProperties"],
  ["dependencies", "dependencies"],
  ["additionalItems", "additionalItems"],
  ["definitions", "definitions"],
];

/** The first unsupported field at any depth. */
export function unsupportedField(schema: JSONSchemaProps): string | undefined {
  const own = UNSUPPORTED.find(([name]) => isSet(schema[name]));
  if (own) return `OpenAPIV3Schema '${own[1]}' is not supported`;
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (Array.isArray(schema.items)) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  for (const child of childSchemas(schema)) {
    const problem = unsupportedField(child);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isSet(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== "";
}

export function childSchemas(schema: JSONSchemaProps): readonly JSONSchemaProps[] {
  const { items, additionalProperties, not } = schema;
  return [
    ...(items ? [items as JSONSchemaProps] : []),
    ...Object.values(schema.properties ?? {}),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(not ? [not] : []),
  ];
}

/** Whether `items` is a single schema; lists of schemas are rejected elsewhere. */
export function isSchema(items: JSONSchemaProps["items"]): items is JSONSchemaProps {
  return items !== undefined && !Array.isArray(items);
}

/** Only own properties: `constructor` is an ordinary name. */
export function propertyOf(
  { properties }: JSONSchemaProps,
  name: string,
): JSONSchemaProps | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
