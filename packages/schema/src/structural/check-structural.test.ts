import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze, fieldPath } from "@rookery/kube";
import type { JSONSchemaProps, ValidationRule } from "../json-schema-props.ts";
import { checkStructural } from "./check-structural.ts";

const text: JSONSchemaProps = { type: "string" };
const field = (schema: JSONSchemaProps): JSONSchemaProps => ({
  type: "object",
  properties: { f: schema },
});
const ruled = (schema: JSONSchemaProps, ...rules: readonly ValidationRule[]): JSONSchemaProps =>
  field({ ...schema, "x-kubernetes-validations": rules });

/** The errors as kube-apiserver prints them, from the field on. */
function errorsOf(schema: JSONSchemaProps): string[] {
  const at = "schema.openAPIV3Schema.properties[f]";
  return checkStructural(deepFreeze(schema)).map((error) => String(error).replaceAll(at, "f"));
}

describe("checkStructural refuses a schema in the words of kube-apiserver 1.34", () => {
  const rows: Record<string, [schema: JSONSchemaProps, ...errors: string[]]> = {
    nothing: [field(text)],
    "a field without a type": [
      field({}),
      "f.type: Required value: must not be empty for specified object fields",
    ],
    "an array without items": [
      field({ type: "array" }),
      "f.items: Required value: must be specified",
    ],
    "properties beside additionalProperties": [
      field({ type: "object", properties: { a: text }, additionalProperties: text }),
      "f.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive",
    ],
    "a type in anyOf": [
      field({ ...text, anyOf: [{ type: "string" }] }),
      "f.anyOf[0].type: Forbidden: must be empty to be structural",
    ],
    "what only a not at the root knows": [
      { type: "object", not: { properties: { a: {} } } },
      "schema.openAPIV3Schema.properties[a]: Required value: because it is defined in schema.openAPIV3Schema.not.properties[a]",
    ],
    "what only a not at the root knows, although every object has it": [
      { ...field(text), not: { properties: { toString: {} } } },
      "schema.openAPIV3Schema.properties[toString]: Required value: because it is defined in schema.openAPIV3Schema.not.properties[toString]",
    ],
    "a pattern that is none": [
      field({ ...text, pattern: "(" }),
      'f.pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing regexp: missing closing ): `(`',
    ],
    "a default of the wrong type": [
      field({ ...text, default: 5 }),
      'f.default: Invalid value: "integer":  in body must be of type string: "integer"',
    ],
    "a default with more than the schema knows": [
      field({ type: "object", properties: { a: text }, default: { b: 1 } }),
      'f.default: Invalid value: {"b":1}: must not have unknown fields',
    ],
    "a map list whose key may be missing": [
      field({
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { type: "object", properties: { k: text } },
      }),
      "f.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
    ],
    "a map list with a key that only objects in general have": [
      field({
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["constructor"],
        items: { type: "object", properties: { k: text } },
      }),
      'f.x-kubernetes-list-map-keys: Invalid value: ["constructor"]: entries must all be names of item properties',
    ],
    "a rule about an unknown field": [
      ruled({ type: "object", properties: { a: text } }, { rule: "self.b == ''" }),
      'f.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.b == \'\'","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field \'b\'\n | self.b == \'\'\n | ....^',
    ],
    "a rule without a limit to what it costs": [
      ruled({ type: "array", items: text }, { rule: "self.all(x, self.all(y, x == y))" }),
      "f.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)",
      "f.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema",
      "schema.openAPIV3Schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)",
    ],
  };
  for (const [name, [schema, ...errors]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(errorsOf(schema), errors));
  }

  it("a root that a status subresource does not go with", () => {
    const schema: JSONSchemaProps = { type: "object", nullable: true };
    const errors = checkStructural(schema, {
      path: fieldPath("spec", "versions").index(0).child("schema"),
      statusSubresource: true,
    });
    assert.deepEqual(
      errors.map(({ field, type }) => `${field} ${type}`),
      [
        "spec.versions[0].schema.openAPIV3Schema FieldValueInvalid",
        "spec.versions[0].schema.openAPIV3Schema.nullable FieldValueForbidden",
      ],
    );
  });
});

describe("checkStructural refuses what would hold or break the process", () => {
  const nested = (levels: number): JSONSchemaProps => {
    let schema = text;
    for (let level = 0; level < levels; level++) schema = { type: "array", items: schema };
    return schema;
  };
  const large = "x{1000}".repeat(19);
  const fields = (count: number, schema: JSONSchemaProps): JSONSchemaProps =>
    field({
      type: "object",
      properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, schema])),
    });
  const tooLarge =
    'schema.openAPIV3Schema: Invalid value: "": the regular expressions of the schema are too large';
  const rows: Record<string, [schema: JSONSchemaProps, error: string]> = {
    "a schema that nests very deeply": [
      field(nested(100_000)),
      'schema.openAPIV3Schema: Invalid value: "": could not read schema: it nests deeper than 1000 levels',
    ],
    "a schema that nests deeply": [
      field(nested(300)),
      'schema.openAPIV3Schema: Invalid value: "": could not read schema: it nests deeper than 250 levels',
    ],
    "patterns that are large together": [fields(20, { ...text, pattern: large }), tooLarge],
    "rules with patterns that are large together": [
      fields(20, { ...text, "x-kubernetes-validations": [{ rule: `self.matches('${large}')` }] }),
      tooLarge,
    ],
  };
  for (const [name, [schema, error]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(checkStructural(schema).map(String), [error]));
  }
});
