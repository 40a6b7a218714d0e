import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze } from "@rookery/kube";
import { arbitraryObjects } from "../test/arbitrary.ts";
import { applyDefaults } from "./default.ts";
import type { JSONObject } from "./json.ts";
import type { JSONSchemaProps } from "./json-schema-props.ts";
import { compileSchema } from "./structural-schema.ts";

const withDefault: JSONSchemaProps = { type: "string", default: "d" };
const inner: JSONSchemaProps = { type: "object", properties: { a: withDefault } };
const object = (properties: JSONSchemaProps["properties"]): JSONSchemaProps => ({
  type: "object",
  ...(properties ? { properties } : {}),
});

describe("applyDefaults", () => {
  const rows: Record<string, [schema: JSONSchemaProps, given: JSONObject, expected: JSONObject]> = {
    "sets what is missing": [object({ a: withDefault }), {}, { a: "d" }],
    "leaves what is there": [object({ a: withDefault }), { a: "x" }, { a: "x" }],
    "leaves what is there and empty": [object({ a: withDefault }), { a: "" }, { a: "" }],
    "replaces a null": [object({ a: withDefault }), { a: null }, { a: "d" }],
    "leaves a null that is allowed": [
      object({ a: { ...withDefault, nullable: true } }),
      { a: null },
      { a: null },
    ],
    "makes no object for the defaults in it": [object({ o: inner }), {}, {}],
    "fills in an object that is there": [object({ o: inner }), { o: {} }, { o: { a: "d" } }],
    "fills in an object that is itself a default": [
      object({ o: { ...inner, default: {} } }),
      {},
      { o: { a: "d" } },
    ],
    "fills in the items of a list": [
      object({ l: { type: "array", items: inner } }),
      { l: [{}, { a: "x" }, { a: null }] },
      { l: [{ a: "d" }, { a: "x" }, { a: "d" }] },
    ],
    "replaces a null among the items of a list": [
      object({ l: { type: "array", items: withDefault } }),
      { l: ["x", null] },
      { l: ["x", "d"] },
    ],
    "fills in the values of a map": [
      object({ m: { type: "object", additionalProperties: inner } }),
      { m: { x: {}, y: { a: null } } },
      { m: { x: { a: "d" }, y: { a: "d" } } },
    ],
    "does not follow a value of the wrong type": [object({ o: inner }), { o: [1] }, { o: [1] }],
    "takes a default of null for none": [object({ a: { type: "string", default: null } }), {}, {}],
    "does not take what an object inherits for a value": [
      object({ toString: withDefault, constructor: withDefault }),
      {},
      { toString: "d", constructor: "d" } as unknown as JSONObject,
    ],
  };
  for (const [name, [schema, given, expected]] of Object.entries(rows)) {
    it(name, () => {
      assert.deepEqual(applyDefaults(compileSchema(schema), deepFreeze(given)), expected);
    });
  }

  it("returns the object itself where nothing is missing", () => {
    const given = { a: "x", o: { a: "y" } };
    assert.equal(applyDefaults(compileSchema(object({ a: withDefault, o: inner })), given), given);
  });

  it("does not share a default that somebody could write to", () => {
    const schema = compileSchema(object({ o: { ...inner, default: { a: "x" } } }));
    const { o } = applyDefaults(schema, {}) as { o: { a: string } };
    assert.throws(() => {
      o.a = "changed";
    }, TypeError);
    assert.deepEqual(applyDefaults(schema, {}), { o: { a: "x" } });
  });

  it("does nothing to what has its defaults", () => {
    const schema = compileSchema(
      object({
        a: withDefault,
        o: { ...inner, default: {} },
        l: { type: "array", items: inner },
        m: { type: "object", additionalProperties: inner },
      }),
    );
    for (const fields of arbitraryObjects(["a", "o", "l", "m", "x", "__proto__"])) {
      const once = applyDefaults(schema, deepFreeze(fields));
      assert.equal(applyDefaults(schema, once), once);
    }
  });
});
