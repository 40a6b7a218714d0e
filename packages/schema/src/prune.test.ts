import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deepFreeze } from "@rookery/kube";
import { arbitraryObjects } from "../test/arbitrary.ts";
import { MetadataError } from "./errors.ts";
import type { JSONObject } from "./json.ts";
import type { JSONSchemaProps } from "./json-schema-props.ts";
import { prune } from "./prune.ts";
import { compileSchema } from "./structural-schema.ts";

const text: JSONSchemaProps = { type: "string" };
const spec = (properties: JSONSchemaProps["properties"]): JSONSchemaProps => ({
  type: "object",
  properties: { spec: { type: "object", ...(properties ? { properties } : {}) } },
});
const keep = { "x-kubernetes-preserve-unknown-fields": true } as const;

describe("prune", () => {
  const rows: Record<
    string,
    [schema: JSONSchemaProps, object: JSONObject, pruned: JSONObject, unknown: readonly string[]]
  > = {
    "drops fields that the schema does not know": [
      spec({ a: text }),
      { spec: { a: "x", b: 1 }, other: 2 },
      { spec: { a: "x" } },
      ["other", "spec.b"],
    ],
    "keeps the type and metadata of the object": [
      { type: "object" },
      { apiVersion: "v1", kind: "K", metadata: { name: "x" } },
      { apiVersion: "v1", kind: "K", metadata: { name: "x" } },
      [],
    ],
    "looks into lists and maps": [
      spec({
        list: { type: "array", items: { type: "object", properties: { a: text } } },
        map: { type: "object", additionalProperties: { type: "object", properties: { a: text } } },
      }),
      { spec: { list: [{ a: "x" }, { b: 1 }], map: { k: { a: "x", b: 1 } } } },
      { spec: { list: [{ a: "x" }, {}], map: { k: { a: "x" } } } },
      ["spec.list[1].b", "spec.map.k.b"],
    ],
    "keeps what is to be preserved, but prunes what is known in it": [
      spec({
        p: { type: "object", ...keep, properties: { a: { type: "object", properties: {} } } },
      }),
      { spec: { p: { b: { c: 1 }, a: { d: 1 } } } },
      { spec: { p: { b: { c: 1 }, a: {} } } },
      ["spec.p.a.d"],
    ],
    "keeps everything in an object of additional properties without a schema": [
      spec({ open: { type: "object", additionalProperties: true } }),
      { spec: { open: { a: 1, b: { c: 2 } } } },
      { spec: { open: { a: 1, b: {} } } },
      ["spec.open.b.c"],
    ],
    "reads the metadata of an embedded resource as ObjectMeta": [
      spec({ e: { type: "object", ...keep, "x-kubernetes-embedded-resource": true } }),
      { spec: { e: { apiVersion: "v1", kind: "K", metadata: { name: "x", odd: 1 }, more: 1 } } },
      {
        spec: {
          e: {
            apiVersion: "v1",
            kind: "K",
            metadata: { name: "x" },
            more: 1,
          },
        },
      },
      ["spec.e.metadata.odd"],
    ],
    "reads its own metadata as ObjectMeta": [
      { type: "object" },
      { metadata: { name: "x", odd: 1, labels: { a: null }, ownerReferences: [{ odd: 1 }] } },
      {
        metadata: {
          name: "x",
          labels: { a: "" },
          ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }],
        },
      },
      ["metadata.odd", "metadata.ownerReferences[0].odd"],
    ],
    "drops a null that is neither allowed nor has a default to replace it": [
      spec({
        a: text,
        b: { ...text, nullable: true },
        c: { ...text, default: "x" },
        list: { type: "array", items: text },
      }),
      { spec: { a: null, b: null, c: null, list: [null] } },
      { spec: { b: null, c: null, list: [null] } },
      [],
    ],
    "takes __proto__ and constructor for names like any other": [
      spec({ a: text }),
      JSON.parse('{"spec":{"__proto__":{"polluted":1},"constructor":1,"a":"x"}}'),
      { spec: { a: "x" } },
      ["spec.__proto__", "spec.constructor"],
    ],
  };
  for (const [name, [schema, object, pruned, unknown]] of Object.entries(rows)) {
    it(name, () => {
      const result = prune(compileSchema(schema), deepFreeze(object));
      assert.deepEqual(result, { object: pruned, unknownFields: unknown });
    });
  }

  it("keeps an own __proto__ that is to be preserved, without touching any prototype", () => {
    const object: JSONObject = JSON.parse('{"spec":{"__proto__":{"polluted":1}}}');
    const { object: pruned } = prune(
      compileSchema({ type: "object", properties: { spec: { type: "object", ...keep } } }),
      object,
    );
    assert.equal(JSON.stringify(pruned), '{"spec":{"__proto__":{"polluted":1}}}');
    assert.equal(({} as { polluted?: number }).polluted, undefined);
  });

  it("returns the object itself where there is nothing to drop", () => {
    const object = { spec: { a: "x" } };
    assert.equal(prune(compileSchema(spec({ a: text })), object).object, object);
  });

  it("does nothing to what was pruned before", () => {
    const schema = compileSchema(
      spec({ a: text, l: { type: "array", items: text }, p: { type: "object", ...keep } }),
    );
    for (const fields of arbitraryObjects(["a", "l", "p", "x", "__proto__", "toString"])) {
      const once = prune(schema, deepFreeze({ spec: fields }));
      assert.deepEqual(prune(schema, once.object), { object: once.object, unknownFields: [] });
    }
  });

  const unreadable: Record<string, [metadata: JSONObject[string], reason: string]> = {
    "that is a text": ["x", "json: cannot unmarshal string into Go value of type v1.ObjectMeta"],
    "with labels that are a number": [
      { labels: 5 },
      "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string",
    ],
    "with a generation that is a fraction": [
      { generation: 1.5 },
      "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64",
    ],
  };
  for (const [name, [metadata, reason]] of Object.entries(unreadable)) {
    it(`can't read metadata ${name}`, () => {
      assert.throws(
        () => prune(compileSchema({ type: "object" }), { metadata }),
        (error) => error instanceof MetadataError && error.reason === reason,
      );
    });
  }
});
