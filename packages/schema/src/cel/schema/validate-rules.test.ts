import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze } from "@rookery/kube";
import type { JSONValue } from "../../json.ts";
import type { JSONSchemaProps, ValidationRule } from "../../json-schema-props.ts";
import { compileSchema } from "../../structural-schema.ts";
import { validate } from "../../validate.ts";

const text: JSONSchemaProps = { type: "string" };
const number: JSONSchemaProps = { type: "integer" };
const texts: JSONSchemaProps = { type: "array", items: text };
const object = (properties: { readonly [name: string]: JSONSchemaProps }): JSONSchemaProps => ({
  type: "object",
  properties,
});
const ruled = (schema: JSONSchemaProps, ...rules: readonly ValidationRule[]): JSONSchemaProps => ({
  ...schema,
  "x-kubernetes-validations": rules,
});

/** The errors of a field `f` as kube-apiserver prints them. */
function errorsOf(schema: JSONSchemaProps, value: JSONValue, old?: JSONValue): string[] {
  const options = old === undefined ? {} : { old: deepFreeze({ f: old }) };
  const compiled = compileSchema(object({ f: schema }));
  return validate(compiled, deepFreeze({ f: value }), options).errors.map(String);
}

describe("a rule that fails says so in the words of kube-apiserver 1.34", () => {
  const positive = { rule: "self > 0" };
  const rows: Record<string, [schema: JSONSchemaProps, value: JSONValue, ...errors: string[]]> = {
    "by itself": [ruled(number, positive), 0, 'f: Invalid value: "integer": failed rule: self > 0'],
    "with its message": [
      ruled(number, { ...positive, message: " positive, please " }),
      0,
      'f: Invalid value: "integer": positive, please',
    ],
    "with its messageExpression": [
      ruled(number, { ...positive, message: "m", messageExpression: "'not ' + string(self)" }),
      0,
      'f: Invalid value: "integer": not 0',
    ],
    "with its message where the expression fails": [
      ruled(number, { ...positive, message: "m", messageExpression: "string(1 / self)" }),
      0,
      'f: Invalid value: "integer": m',
    ],
    "as forbidden": [
      ruled(number, { ...positive, message: "no", reason: "FieldValueForbidden" }),
      0,
      "f: Forbidden: no",
    ],
    "as required": [
      ruled(number, { ...positive, message: "no", reason: "FieldValueRequired" }),
      0,
      "f: Required value: no",
    ],
    "as a duplicate": [
      ruled(number, { ...positive, message: "no", reason: "FieldValueDuplicate" }),
      0,
      'f: Duplicate value: "integer"',
    ],
    "at its fieldPath": [
      ruled(object({ a: object({ "b.c": number }) }), {
        rule: "self.a.b__dot__c > 0",
        message: "m",
        fieldPath: ".a['b.c']",
      }),
      { a: { "b.c": 0 } },
      'f.a.b.c: Invalid value: "object": m',
    ],
    "at the item of a list and the value of a map": [
      object({
        l: { type: "array", items: ruled(number, positive) },
        m: { type: "object", additionalProperties: ruled(number, positive) },
      }),
      { l: [1, 0], m: { a: 1, "b.c": 0 } },
      'f.l[1]: Invalid value: "integer": failed rule: self > 0',
      'f.m[b.c]: Invalid value: "integer": failed rule: self > 0',
    ],
    "because of an error": [
      ruled(object({ a: number }), { rule: "1 / self.a > 0" }, { rule: "self.a[0] == 1 || true" }),
      { a: 0 },
      'f: Invalid value: "object": division by zero evaluating rule: 1 / self.a > 0',
      "f: Invalid value: \"object\": rule compile error: compilation failed: ERROR: <input>:1:7: found no matching overload for '_[_]' applied to '(int, int)'\n | self.a[0] == 1 || true\n | ......^",
    ],
    "not about a null": [ruled({ ...text, nullable: true }, { rule: "false" }), null],
    "about a null field, which is absent": [
      ruled(object({ a: { ...text, nullable: true } }), { rule: "has(self.a)", message: "absent" }),
      { a: null },
      'f: Invalid value: "object": absent',
    ],
  };
  for (const [name, [schema, value, ...errors]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(errorsOf(schema, value), errors));
  }
});

describe("a rule about a change", () => {
  const immutable = { rule: "self == oldSelf", message: "immutable" };
  const refused = 'f: Invalid value: "string": immutable';
  const mapList: JSONSchemaProps = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: ruled(object({ k: text, v: number }), { rule: "self.v >= oldSelf.v", message: "grows" }),
  };
  type Row = [
    schema: JSONSchemaProps,
    old: JSONValue | undefined,
    value: JSONValue,
    ...errors: string[],
  ];
  const rows: Record<string, Row> = {
    "fails on a change": [ruled(text, immutable), "a", "b", refused],
    "holds without one": [ruled(text, immutable), "a", "a"],
    "does not run when an object is created": [ruled(text, immutable), undefined, "b"],
    "runs then if it takes an optional old value": [
      ruled(number, {
        rule: "oldSelf.hasValue() || self == 1",
        message: "starts at 1",
        optionalOldSelf: true,
      }),
      undefined,
      2,
      'f: Invalid value: "integer": starts at 1',
    ],
    "gets the old value as an optional one": [
      ruled(number, {
        rule: "self == oldSelf.orValue(0) + 1",
        message: "counts",
        optionalOldSelf: true,
      }),
      4,
      5,
    ],
    "finds the old items of a map list by their keys": [
      mapList,
      [
        { k: "a", v: 5 },
        { k: "b", v: 5 },
      ],
      [
        { k: "b", v: 4 },
        { k: "a", v: 6 },
        { k: "c", v: 0 },
      ],
      'f[0]: Invalid value: "object": grows',
    ],
    "finds the old values of a map by their keys": [
      { type: "object", additionalProperties: ruled(number, { rule: "self >= oldSelf" }) },
      { a: 5, b: 5 },
      { a: 4, c: 0 },
      'f[a]: Invalid value: "integer": failed rule: self >= oldSelf',
    ],
    "finds no old items in other lists": [
      { type: "array", items: ruled(number, { rule: "self >= oldSelf" }) },
      [5],
      [4],
    ],
    "is not forgiven where another rule would be": [
      ruled(object({ a: number }), { rule: "oldSelf.a > 9", message: "m" }, { rule: "self.a > 9" }),
      { a: 1 },
      { a: 1 },
      'f: Invalid value: "object": m',
    ],
  };
  for (const [name, [schema, old, value, ...errors]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(errorsOf(schema, value, old), errors));
  }
});

describe("what a list means to a rule depends on its type", () => {
  const list = (type: "atomic" | "set", rule: string): JSONSchemaProps =>
    ruled({ ...texts, "x-kubernetes-list-type": type }, { rule });
  const items = object({ k: text, v: text });
  const mapList = (rule: string): JSONSchemaProps =>
    ruled(
      {
        type: "array",
        items,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
      },
      { rule },
    );
  const rows: Record<string, [schema: JSONSchemaProps, value: JSONValue, old?: JSONValue]> = {
    "sets are equal in any order": [list("set", "self == ['b', 'a']"), ["a", "b"]],
    "other lists are not": [list("atomic", "self != ['b', 'a']"), ["a", "b"]],
    "a set takes no element twice": [
      list("set", "self + ['a', 'c'] == ['a', 'b', 'c']"),
      ["a", "b"],
    ],
    "other lists do": [list("atomic", "self + ['a'] == ['a', 'b', 'a']"), ["a", "b"]],
    "map lists are equal in any order": [
      mapList("self == oldSelf"),
      [{ k: "a", v: "1" }, { k: "b" }],
      [{ k: "b" }, { k: "a", v: "1" }],
    ],
    "a map list replaces items with the same key": [
      mapList("self + oldSelf == oldSelf && (self + oldSelf)[0].v == '2'"),
      [{ k: "a", v: "1" }],
      [{ k: "a", v: "2" }],
    ],
  };
  for (const [name, [schema, value, old]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(errorsOf(schema, value, old), []));
  }
});
