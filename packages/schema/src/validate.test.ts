import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze, FieldError, fieldPath } from "@rookery/kube";
import { arbitraryObjects } from "../test/arbitrary.ts";
import type { JSONObject, JSONValue } from "./json.ts";
import type { JSONSchemaProps } from "./json-schema-props.ts";
import { compileSchema } from "./structural-schema.ts";
import { validate } from "./validate.ts";

const text: JSONSchemaProps = { type: "string" };
const field = (schema: JSONSchemaProps): JSONSchemaProps => ({
  type: "object",
  properties: { f: schema },
});
const object = (properties: JSONSchemaProps["properties"]): JSONSchemaProps => ({
  type: "object",
  ...(properties ? { properties } : {}),
});

/** The errors as kube-apiserver prints them. */
function errorsOf(schema: JSONSchemaProps, value: JSONObject, old?: JSONObject): string[] {
  const options = old ? { old: deepFreeze(old) } : {};
  return validate(compileSchema(schema), deepFreeze(value), options).errors.map(String);
}

describe("validate refuses a value in the words of kube-apiserver 1.34", () => {
  const rows: Record<string, [schema: JSONSchemaProps, value: JSONValue, ...errors: string[]]> = {
    "a number for a text": [
      text,
      5,
      'f: Invalid value: "integer": f in body must be of type string: "integer"',
    ],
    "a fraction for an integer": [
      { type: "integer" },
      1.5,
      'f: Invalid value: "number": f in body must be of type integer: "number"',
    ],
    "a null": [text, null, 'f: Invalid value: "null": f in body must be of type string: "null"'],
    "a null where it is allowed": [{ ...text, nullable: true }, null],
    "an object without what is required": [
      { ...object({ a: text, b: text }), required: ["a", "b"] },
      { b: "x" },
      "f.a: Required value",
    ],
    "a value that is not in the enum": [
      { ...text, enum: ["a", "b"] },
      "c",
      'f: Unsupported value: "c": supported values: "a", "b"',
    ],
    "a number below its minimum": [
      { type: "integer", minimum: 3 },
      2,
      "f: Invalid value: 2: f in body should be greater than or equal to 3",
    ],
    "a number at its exclusive maximum": [
      { type: "number", maximum: 2.5, exclusiveMaximum: true },
      2.5,
      "f: Invalid value: 2.5: f in body should be less than 2.5",
    ],
    "a number that is no multiple": [
      { type: "integer", multipleOf: 3 },
      10,
      "f: Invalid value: 10: f in body should be a multiple of 3",
    ],
    "a text that is too long, in code points": [
      { ...text, maxLength: 3 },
      "😀😀😀😀",
      "f: Too long: may not be more than 3 bytes",
    ],
    "a text that is just long enough, in code points": [
      { ...text, minLength: 2, maxLength: 2 },
      "😀😀",
    ],
    "a text that is too short": [
      { ...text, minLength: 2 },
      "😀",
      'f: Invalid value: "😀": f in body should be at least 2 chars long',
    ],
    "a text that its pattern does not match": [
      { ...text, pattern: "^[a-z]+$" },
      "A",
      "f: Invalid value: \"A\": f in body should match '^[a-z]+$'",
    ],
    "a text that is not of its format": [
      { ...text, format: "date-time" },
      "now",
      'f: Invalid value: "now": f in body must be of type date-time: "now"',
    ],
    "a format that is not known": [{ ...text, format: "odd" }, "now"],
    "a format of numbers, which is not checked": [{ type: "integer", format: "int32" }, 2 ** 40],
    "too many items": [
      { type: "array", items: text, maxItems: 1 },
      ["a", "b"],
      "f: Too many: 2: must have at most 1 item",
    ],
    "too few items": [
      { type: "array", items: text, minItems: 1 },
      [],
      "f: Invalid value: 0: f in body should have at least 1 items",
    ],
    "an item of the wrong type": [
      { type: "array", items: text },
      ["a", 1],
      'f[1]: Invalid value: "integer": f[1] in body must be of type string: "integer"',
    ],
    "items that are not unique": [
      { type: "array", items: text, uniqueItems: true },
      ["a", "a"],
      'f: Invalid value: "": f in body shouldn\'t contain duplicates',
    ],
    "too many entries": [
      { type: "object", maxProperties: 1, additionalProperties: text },
      { a: "", b: "" },
      "f: Too many: 2: must have at most 1 item",
    ],
    "an entry of the wrong type": [
      { type: "object", additionalProperties: text },
      { "a.b": 1 },
      'f.a.b: Invalid value: "integer": f.a.b in body must be of type string: "integer"',
    ],
    "an entry that is not allowed": [
      { type: "object", additionalProperties: false },
      { a: 1 },
      'f: Invalid value: "a": f.a in body is a forbidden property',
    ],
    "int-or-string that is neither": [
      { "x-kubernetes-int-or-string": true },
      1.5,
      'f: Invalid value: "number": f in body must be of type integer,string: "number"',
    ],
    "none of anyOf, with the errors of the one that went furthest": [
      { ...text, anyOf: [{ minLength: 3 }, { pattern: "^b", maxLength: 0 }] },
      "a",
      '<nil>: Invalid value: "": "f" must validate at least one schema (anyOf)',
      'f: Invalid value: "a": f in body should be at least 3 chars long',
    ],
    "two of oneOf": [
      { ...text, oneOf: [{ minLength: 1 }, { maxLength: 1 }] },
      "a",
      '<nil>: Invalid value: "": "f" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ],
    "one of allOf": [
      { ...text, allOf: [{ minLength: 1 }, { pattern: "^b" }] },
      "a",
      "f: Invalid value: \"a\": f in body should match '^b'",
      '<nil>: Invalid value: "": "f" must validate all the schemas (allOf)',
    ],
    "what must not be": [
      { ...text, not: { enum: ["a"] } },
      "a",
      '<nil>: Invalid value: "": "f" must not validate the schema (not)',
    ],
    "an element of a set, once for however many times it is there": [
      { type: "array", items: text, "x-kubernetes-list-type": "set" },
      ["a", "b", "a", "a"],
      'f[2]: Duplicate value: "a"',
    ],
    "keys of a map list that are there twice": [
      {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: object({ k: text, v: text }),
      },
      [{ k: "a" }, { k: "b" }, { k: "a", v: "x" }],
      'f[2]: Duplicate value: {"k":"a"}',
    ],
    "an embedded resource without a type": [
      {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
      { metadata: { name: "a/b", labels: { a: "b c" } } },
      "f.apiVersion: Required value",
      "f.kind: Required value",
      "f.metadata.name: Invalid value: \"a/b\": may not contain '/'",
      "f.metadata.labels: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
  };
  for (const [name, [schema, value, ...errors]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(errorsOf(field(schema), { f: value }), errors));
  }

  it("takes names that every object inherits for names like any other", () => {
    const schema = { ...object({ toString: text, constructor: text }), required: ["constructor"] };
    assert.deepEqual(errorsOf(schema, {}), ["constructor: Required value"]);
    assert.deepEqual(errorsOf(schema, JSON.parse('{"constructor":"x","toString":1}')), [
      'toString: Invalid value: "integer": toString in body must be of type string: "integer"',
    ]);
    const own = JSON.parse('{"__proto__":5}') as JSONObject;
    const proto = field({ type: "object", additionalProperties: text });
    assert.deepEqual(errorsOf(proto, { f: own }), [
      'f.__proto__: Invalid value: "integer": f.__proto__ in body must be of type string: "integer"',
    ]);
  });

  it("is not confused by any value", () => {
    const schema = compileSchema(
      object({
        s: { ...text, pattern: "^a", maxLength: 3, format: "uri" },
        n: { type: "number", multipleOf: 0.1, minimum: 0 },
        l: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k"],
          items: object({ k: text }),
        },
        e: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
      }),
    );
    for (const value of arbitraryObjects(["s", "n", "l", "e", "k", "x", "__proto__"])) {
      const { errors } = validate(schema, deepFreeze(value));
      const unchanged = validate(schema, structuredClone(value), { old: value });
      assert.ok(unchanged.errors.length <= errors.length);
    }
  });
});

describe("validate forgives what an update does not change", () => {
  const list: JSONSchemaProps = { type: "array", items: { ...text, maxLength: 1 } };
  const mapList: JSONSchemaProps = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: object({ k: text, v: { ...text, maxLength: 1 } }),
  };
  const tooLong = (at: string) => `${at}: Too long: may not be more than 1 byte`;
  const rows: Record<
    string,
    [schema: JSONSchemaProps, old: JSONValue, value: JSONValue, ...errors: string[]]
  > = {
    "a value that stays": [{ ...text, maxLength: 1 }, "aa", "aa"],
    "but not another one that is invalid too": [
      { ...text, maxLength: 1 },
      "aa",
      "bb",
      tooLong("f"),
    ],
    "an item of a map list that stays, wherever it is": [
      mapList,
      [{ k: "x", v: "aa" }, { k: "y" }],
      [{ k: "y" }, { k: "x", v: "aa" }],
    ],
    "but not an item of a map list under another key": [
      mapList,
      [{ k: "x", v: "aa" }],
      [{ k: "y", v: "aa" }],
      tooLong("f[0].v"),
    ],
    "all of an atomic list that stays": [list, ["aa", "b"], ["aa", "b"]],
    "but not its items once it changes": [list, ["aa"], ["aa", "b"], tooLong("f[0]")],
    "what is still missing in what is otherwise as it was": [
      { ...object({ a: text }), required: ["a"] },
      {},
      {},
    ],
    "but not what is still missing in what changed": [
      { ...object({ a: text, b: text }), required: ["a"] },
      { b: "x" },
      { b: "y" },
      "f.a: Required value",
    ],
    "duplicates, as soon as there were any": [
      { type: "array", items: text, "x-kubernetes-list-type": "set" },
      ["a", "a"],
      ["a", "a", "b", "b"],
    ],
  };
  for (const [name, [schema, old, value, ...errors]] of Object.entries(rows)) {
    it(name, () => {
      assert.deepEqual(
        errorsOf(object({ f: schema, g: text }), { f: value, g: "new" }, { f: old }),
        errors,
      );
    });
  }
});

describe("validate and rules", () => {
  const schema = compileSchema({
    ...object({
      spec: {
        ...object({ a: { type: "integer", maximum: 9 }, b: { ...text, maxLength: 3 } }),
        "x-kubernetes-validations": [{ rule: "self.a > 0", message: "a must be positive" }],
      },
      status: {
        ...object({ ready: { type: "integer", minimum: 0 } }),
        "x-kubernetes-validations": [{ rule: "self.ready >= oldSelf.ready", message: "grows" }],
      },
    }),
  });
  const notChecked =
    "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

  it("runs them beside other errors", () => {
    const { errors } = validate(schema, { spec: { a: 0 }, status: { ready: -1 } });
    assert.deepEqual(errors.map(String), [
      "status.ready: Invalid value: -1: status.ready in body should be greater than or equal to 0",
      'spec: Invalid value: "object": a must be positive',
    ]);
  });

  it("does not run them after errors that they would stumble over", () => {
    const { errors } = validate(schema, { spec: { a: 0, b: "long" } });
    assert.deepEqual(errors.map(String), [
      "spec.b: Too long: may not be more than 3 bytes",
      notChecked,
    ]);
  });

  it("counts errors that were found before, without repeating them", () => {
    const preceding = [FieldError.required(fieldPath("metadata", "name"), "")];
    const { errors } = validate(schema, { spec: { a: 0 } }, { preceding });
    assert.deepEqual(errors.map(String), [notChecked]);
  });

  it("warns of those that failed before", () => {
    const old = { spec: { a: 0 } };
    const result = validate(schema, { spec: { a: 0 }, status: { ready: 1 } }, { old });
    assert.deepEqual(result.errors, []);
    assert.deepEqual(result.warnings.map(String), [
      'spec: Invalid value: "object": a must be positive',
    ]);
  });

  it("validates only the status of a status, but runs all rules", () => {
    const old = { spec: { a: 1 }, status: { ready: 2 } };
    const object = { spec: { a: 50 }, status: { ready: 1 } };
    const { errors } = validate(schema, object, { old, subresource: "status" });
    assert.deepEqual(errors.map(String), ['status: Invalid value: "object": grows']);
  });

  it("names fields of a status from the status", () => {
    const { errors } = validate(schema, { status: { ready: -1 } }, { subresource: "status" });
    assert.deepEqual(errors.map(String), [
      "status.ready: Invalid value: -1: ready in body should be greater than or equal to 0",
    ]);
  });
});
