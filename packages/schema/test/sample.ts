import {
  compileSchema,
  type JSONObject,
  type JSONSchemaProps,
  type JSONValue,
  validate,
} from "@rookery/schema";

/** Texts that, between them, match the patterns and formats of Cluster API's schemas. */
const TEXTS = [
  "a",
  "abc",
  "abcdefgh",
  "a.b/c",
  "[0-1]",
  "Linux",
  "2024-01-02T03:04:05Z",
  "aGVsbG8=",
  "10",
  "https://example.com",
  "0123456789abcdef0123456789abcdef",
] as const;

/** A smallest value that the schema alone allows; its rules are not looked at. */
export function sampleValue(schema: JSONSchemaProps): JSONValue {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.length) return schema.enum[0] ?? null;
  if (schema["x-kubernetes-int-or-string"]) return 1;
  switch (schema.type) {
    case "object":
      return sampleObject(schema);
    case "array":
      return sampleItems(schema);
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 1, Math.min(1, schema.maximum ?? 1));
    case "boolean":
      return true;
    case "string":
      return sampleText(schema);
    default:
      return { anything: ["goes"] };
  }
}

function sampleObject(schema: JSONSchemaProps): JSONObject {
  const required = (schema.required ?? []).map((name): [string, JSONValue] => {
    return [name, sampleValue(schema.properties?.[name] ?? {})];
  });
  const object = Object.fromEntries(required);
  const { additionalProperties } = schema;
  const fill = (schema.minProperties ?? 0) - required.length;
  if (fill <= 0) return object;
  if (typeof additionalProperties === "object")
    return { ...object, key: sampleValue(additionalProperties) };
  const optional = Object.entries(schema.properties ?? {}).filter(([name]) => !(name in object));
  const added = optional.slice(0, fill).map(([name, each]) => [name, sampleValue(each)] as const);
  return { ...object, ...Object.fromEntries(added) };
}

function sampleItems(schema: JSONSchemaProps): readonly JSONValue[] {
  const items = schema.items as JSONSchemaProps;
  return Array.from({ length: schema.minItems ?? 0 }, () => sampleValue(items));
}

function sampleText(schema: JSONSchemaProps): string {
  const compiled = compileSchema({ type: "object", properties: { text: schema } });
  const fitting = TEXTS.find((text) => validate(compiled, { text }).errors.length === 0);
  if (fitting === undefined) throw new Error(`no sample text for ${JSON.stringify(schema)}`);
  return fitting;
}
