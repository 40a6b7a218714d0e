import type { JSONSchemaProps } from "@rookery/schema";

/** The schema of a `spec` in an otherwise fine root. */
const spec = (schema: unknown): JSONSchemaProps =>
  ({ type: "object", properties: { spec: schema } }) as JSONSchemaProps;
const field = (schema: unknown): JSONSchemaProps =>
  spec({ type: "object", properties: { field: schema } });
const rules = (...all: readonly unknown[]): JSONSchemaProps =>
  spec({
    type: "object",
    properties: { a: { type: "integer" }, s: { type: "string", maxLength: 10 } },
    "x-kubernetes-validations": all,
  });
const text = { type: "string" };
const item = { type: "object", required: ["name"], properties: { name: text, value: text } };
const list = (more: unknown, items: unknown = item): JSONSchemaProps =>
  field({ type: "array", items, ...(more as object) });

/** Schemas that a CRD must not have, or just may, by what is strange about them. */
export const schemas: Readonly<Record<string, JSONSchemaProps>> = {
  "nothing but a type": { type: "object" },
  "no type at the root": { properties: {} },
  "another type at the root": { type: "string" },
  "additionalProperties at the root": { type: "object", additionalProperties: { type: "string" } },
  "nullable at the root": { type: "object", nullable: true },
  "preserved unknown fields at the root": {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
  },
  "a field without a type": field({}),
  "an unknown type": field({ type: "text" }),
  "the type null": field({ type: "null" }),
  "an array without items": field({ type: "array" }),
  "items without a type": field({ type: "array", items: {} }),
  "a list of items": field({ type: "array", items: [text] }),
  "properties and additionalProperties": field({
    type: "object",
    properties: { a: text },
    additionalProperties: text,
  }),
  "properties and additionalProperties that allow anything": field({
    type: "object",
    properties: { a: text },
    additionalProperties: true,
  }),
  "properties and no additionalProperties allowed": field({
    type: "object",
    properties: { a: text },
    additionalProperties: false,
  }),
  "additionalProperties without a type": field({ type: "object", additionalProperties: {} }),
  "a type in anyOf": field({ type: "string", anyOf: [{ type: "string" }] }),
  "much that may not be in allOf": field({
    type: "object",
    properties: { a: text },
    allOf: [
      {
        type: "object",
        title: "t",
        description: "d",
        nullable: true,
        default: {},
        additionalProperties: text,
        "x-kubernetes-preserve-unknown-fields": true,
        "x-kubernetes-map-type": "atomic",
        "x-kubernetes-validations": [{ rule: "true" }],
        properties: { a: { type: "string", default: "x" }, metadata: {} },
      },
    ],
  }),
  "a field that only oneOf and not know": field({
    type: "object",
    properties: { a: text },
    oneOf: [{ required: ["a"] }, { properties: { b: { pattern: "x" } } }],
    not: { items: { minLength: 1 } },
  }),
  "int-or-string": field({ "x-kubernetes-int-or-string": true }),
  "int-or-string with its types in anyOf": field({
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
    pattern: "x",
  }),
  "int-or-string with its types in allOf": field({
    "x-kubernetes-int-or-string": true,
    allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { minimum: 1 }],
  }),
  "int-or-string with other types in anyOf": field({
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "boolean" }],
  }),
  "int-or-string that preserves unknown fields": field({
    "x-kubernetes-int-or-string": true,
    "x-kubernetes-preserve-unknown-fields": true,
  }),
  "preserved unknown fields without a type": field({
    "x-kubernetes-preserve-unknown-fields": true,
  }),
  "unknown fields that are not preserved": field({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": false,
  }),
  "an embedded resource": field({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  }),
  "an embedded resource without a type": field({ "x-kubernetes-embedded-resource": true }),
  "an embedded resource with nothing in it": field({
    type: "object",
    "x-kubernetes-embedded-resource": true,
  }),
  "an embedded resource with additionalProperties": field({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    additionalProperties: text,
  }),
  "an embedded resource with strange meta fields": field({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    properties: { kind: { type: "integer" }, metadata: { type: "string" }, spec: text },
  }),
  "metadata with its names": {
    type: "object",
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object", properties: { name: { type: "string", maxLength: 5 } } },
    },
  },
  "metadata with labels": {
    type: "object",
    properties: { metadata: { type: "object", properties: { labels: { type: "object" } } } },
  },
  "metadata with a description": {
    type: "object",
    properties: { metadata: { type: "object", description: "x" } },
  },
  "metadata and kind of the wrong type": {
    type: "object",
    properties: { metadata: { type: "string" }, kind: { type: "integer" } },
  },
  "a default in the metadata": {
    type: "object",
    properties: {
      metadata: { type: "object", properties: { name: { type: "string", default: "x" } } },
    },
  },
  "a pattern that is none": field({ type: "string", pattern: "(" }),
  "unique items": field({ type: "array", items: text, uniqueItems: true }),
  "fields that are not supported": field({
    type: "object",
    id: "x",
    patternProperties: { a: text },
    definitions: { a: text },
    dependencies: { a: ["b"] },
    additionalItems: false,
  }),
  "a reference": field({ type: "object", $ref: "#/definitions/a" }),
  "a schema of the schema": field({ type: "object", $schema: "http://json-schema.org/schema#" }),
  "an unknown list type": list({ "x-kubernetes-list-type": "bag" }),
  "a list type of a text": field({ type: "string", "x-kubernetes-list-type": "atomic" }),
  "a list type without a type": field({
    "x-kubernetes-preserve-unknown-fields": true,
    "x-kubernetes-list-type": "atomic",
  }),
  "an unknown map type": field({ type: "object", "x-kubernetes-map-type": "loose" }),
  "a map type of a list": list({ "x-kubernetes-map-type": "atomic" }),
  "a map type without a type": field({
    "x-kubernetes-int-or-string": true,
    "x-kubernetes-map-type": "atomic",
  }),
  "a set of texts": list({ "x-kubernetes-list-type": "set" }, text),
  "a set of objects": list({ "x-kubernetes-list-type": "set" }),
  "a set of atomic objects": list(
    { "x-kubernetes-list-type": "set" },
    { ...item, "x-kubernetes-map-type": "atomic" },
  ),
  "a set of sets": list(
    { "x-kubernetes-list-type": "set" },
    { type: "array", items: text, "x-kubernetes-list-type": "set" },
  ),
  "a set of nullable texts": list({ "x-kubernetes-list-type": "set" }, { ...text, nullable: true }),
  "a map list": list({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] }),
  "a map list without keys": list({ "x-kubernetes-list-type": "map" }),
  "a map list of texts": list(
    { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
    text,
  ),
  "a map list with a key that is optional": list({
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["value"],
  }),
  "a map list with a key that is unknown, and one twice": list({
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name", "name", "other"],
  }),
  "a map list with a key that is an object, and one that is nullable": list(
    { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["o", "n"] },
    {
      type: "object",
      required: ["o", "n"],
      nullable: true,
      properties: { o: { type: "object" }, n: { type: "string", nullable: true } },
    },
  ),
  "keys without a list type": list({ "x-kubernetes-list-map-keys": ["name"] }),
  "keys of a set": list(
    { "x-kubernetes-list-type": "set", "x-kubernetes-list-map-keys": ["name"] },
    text,
  ),
  "defaults that fit": field({
    type: "object",
    default: { a: "x" },
    properties: { a: { type: "string", default: "y" }, b: { type: "integer", default: 1 } },
  }),
  "a default of the wrong type": field({ type: "integer", default: "x" }),
  "a default out of bounds": field({ type: "integer", default: 5, maximum: 3 }),
  "a default that is not in the enum": field({ type: "string", default: "c", enum: ["a", "b"] }),
  "a default without what is required": field({
    type: "object",
    default: {},
    required: ["a"],
    properties: { a: text },
  }),
  "a default with unknown fields": field({
    type: "object",
    default: { a: "x", b: 1 },
    properties: { a: text },
  }),
  "a default that its rule refuses": field({
    type: "integer",
    default: 5,
    "x-kubernetes-validations": [{ rule: "self < 5", message: "must be less" }],
  }),
  "a default whose rule compares with what was": field({
    type: "integer",
    default: 5,
    "x-kubernetes-validations": [{ rule: "self >= oldSelf" }],
  }),
  "a default that is null": field({ type: "string", nullable: true, default: null }),
  "a default of an embedded resource without a kind": field({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
    default: { apiVersion: "v1", metadata: { name: "x" } },
  }),
  "a default in the metadata of an embedded resource": field({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    properties: {
      metadata: { type: "object", properties: { name: { type: "string", default: "a/b" } } },
      spec: text,
    },
  }),
  "a default in a list": list(
    {},
    { type: "object", properties: { a: { type: "string", default: 5 } } },
  ),
  "a rule that fits": rules({
    rule: "self.a > 0",
    message: "must be positive",
    reason: "FieldValueInvalid",
  }),
  "a rule about an unknown field": rules({ rule: "self.b > 0" }),
  "a rule that is no expression": rules({ rule: "self.a >" }),
  "a rule that is no bool": rules({ rule: "self.a" }),
  "a rule that compares types": rules({ rule: "self.a == self.s" }),
  "an empty rule": rules({ rule: " " }),
  "a rule with an empty message": rules({ rule: "true", message: " " }),
  "a rule with a message of two lines": rules({ rule: "true", message: "a\nb" }),
  "a rule of two lines without a message": rules({ rule: "true\n&& true" }),
  "a rule of two lines with a message": rules({ rule: "true\n&& true", message: "m" }),
  "a messageExpression": rules({ rule: "true", messageExpression: "'a is ' + string(self.a)" }),
  "an empty messageExpression": rules({ rule: "true", messageExpression: " " }),
  "a messageExpression that is no text": rules({ rule: "true", messageExpression: "self.a" }),
  "a messageExpression about an unknown field": rules({
    rule: "true",
    messageExpression: "self.b",
  }),
  "an unknown reason": rules({ rule: "true", reason: "FieldValueOdd" }),
  "field paths": rules({ rule: "true", fieldPath: ".a" }, { rule: "true", fieldPath: "['s']" }),
  "field paths that lead nowhere": rules(
    { rule: "true", fieldPath: ".b" },
    { rule: "true", fieldPath: "a" },
    { rule: "true", fieldPath: " " },
    { rule: "true", fieldPath: ".a\n" },
    { rule: "true", fieldPath: "[a]" },
  ),
  optionalOldSelf: rules({
    rule: "!oldSelf.hasValue() || oldSelf.value().a == self.a",
    optionalOldSelf: true,
  }),
  "optionalOldSelf without oldSelf": rules({ rule: "self.a > 0", optionalOldSelf: true }),
  "oldSelf in a list": list(
    {},
    { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
  ),
  "oldSelf in a map list": list(
    { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
    { ...item, "x-kubernetes-validations": [{ rule: "self.name == oldSelf.name" }] },
  ),
  "oldSelf deep below a set": list(
    { "x-kubernetes-list-type": "set" },
    {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      properties: { a: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } },
    },
  ),
  "a rule that could cost too much": list({
    "x-kubernetes-validations": [{ rule: "self.all(x, self.exists_one(y, x.name == y.name))" }],
  }),
  "a rule that could cost a little too much": list(
    {
      maxItems: 2000,
      "x-kubernetes-validations": [{ rule: "self.all(x, self.exists_one(y, x == y))" }],
    },
    { type: "string", maxLength: 10 },
  ),
  "many rules that could cost too much together": field({
    type: "array",
    maxItems: 1000,
    items: {
      type: "array",
      maxItems: 100,
      items: {
        type: "string",
        maxLength: 10,
        "x-kubernetes-validations": Array.from({ length: 30 }, (_, i) => ({
          rule: `self.contains('${i}') || self.contains('x') || self.size() > ${i} || self.matches('a+b+c+')`,
        })),
      },
    },
  }),
  "a rule within limits": list(
    {
      maxItems: 100,
      "x-kubernetes-validations": [{ rule: "self.all(x, self.exists_one(y, x.name == y.name))" }],
    },
    { type: "object", properties: { name: { type: "string", maxLength: 63 } } },
  ),
  "a rule with a function of the next version": rules({ rule: "lists.range(3).size() == 3" }),
  "a rule with every library": rules({
    rule: "quantity('1').isInteger() && ip('::1').isLoopback() && isCIDR('::/0') && isURL('http://a') && !format.dns1123Label().validate('a').hasValue() && semver('1.2.3').major() == 1 && sets.contains([1], [1]) && [1, 2].isSorted() && 'a'.find('a') == 'a' && {'a': 1}.all(k, v, v == 1)",
  }),
  "a rule about data without a type": field({
    "x-kubernetes-preserve-unknown-fields": true,
    "x-kubernetes-validations": [{ rule: "true" }],
  }),
  "a rule at the root about the metadata": {
    type: "object",
    "x-kubernetes-validations": [
      { rule: "self.metadata.name.size() < 10 && self.kind == 'Broken'" },
    ],
  },
  "a rule at the root about labels": {
    type: "object",
    "x-kubernetes-validations": [{ rule: "has(self.metadata.labels)" }],
  },
  "a rule about reserved and dashed names": spec({
    type: "object",
    properties: { namespace: text, "a-b": text, "c.d": text, e__f: text, "g/h": text, "1st": text },
    "x-kubernetes-validations": [
      { rule: "self.namespace == self.__namespace__" },
      { rule: "self.a__dash__b == self.c__dot__d" },
      { rule: "self.e__underscores__f == self.g__slash__h" },
      { rule: "self.a-b == ''" },
      { rule: "self.1st == ''" },
    ],
  }),
};
