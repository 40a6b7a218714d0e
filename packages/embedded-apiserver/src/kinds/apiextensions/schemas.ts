import type { BuiltInCustomResourceDefinition } from "@rookery/api";
import type { JSONSchemaProps } from "@rookery/schema";
import { internalSpecOf } from "./internal-spec.ts";

/** Whether a schema, or one nested in it, matches. */
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

/** The formats that kube-apiserver 1.34 supports, without dashes. */
const recognized: ReadonlySet<string> = new Set([
  ...["bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3"],
  ...["uuid4", "uuid5", "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor"],
  ...["byte", "password", "date", "duration", "datetime"],
]);

/** The unsupported formats of texts in the schemas of a CRD. */
export function unrecognizedFormats({ spec = {} }: BuiltInCustomResourceDefinition): string[] {
  const { validation, versions } = internalSpecOf(spec);
  const schemas = [validation, ...versions.map(({ schema }) => schema)];
  return schemas.flatMap((each) => (each?.openAPIV3Schema ? formatsIn(each.openAPIV3Schema) : []));
}

function formatsIn(schema: JSONSchemaProps): string[] {
  const unknown: string[] = [];
  someSchema(schema, ({ type, format }) => {
    if (type === "string" && format && !recognized.has(format.replaceAll("-", ""))) {
      unknown.push(format);
    }
    return false;
  });
  return unknown;
}
