import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JSONSchemaProps } from "@rookery/schema";
import {
  embeddedObject,
  list,
  listMap,
  map,
  nullable,
  object,
  set,
  unknownObject,
  unknownValue,
} from "./collections.ts";
import { type FieldType, rule } from "./field-type.ts";
import { defaulted, optional, required } from "./fields.ts";
import { defineKind, resourceOf } from "./kind.ts";
import { customResourceDefinitionOf } from "./render.ts";
import {
  boolean,
  duration,
  enumeration,
  integer,
  intOrString,
  number,
  quantity,
  string,
  time,
} from "./scalars.ts";

describe("the schema of a field", () => {
  const rows: Record<string, [FieldType, JSONSchemaProps]> = {
    "a string with bounds": [
      string({ minLength: 1, pattern: "^a" }),
      { type: "string", minLength: 1, pattern: "^a" },
    ],
    "an integer of a size": [
      integer({ format: "int32", minimum: 0 }),
      { type: "integer", format: "int32", minimum: 0 },
    ],
    "a number": [number({ multipleOf: 0.5 }), { type: "number", multipleOf: 0.5 }],
    "a boolean": [boolean(), { type: "boolean" }],
    "one of some words": [enumeration("A", "B"), { type: "string", enum: ["A", "B"] }],
    "an integer or a string": [
      intOrString(),
      { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
    ],
    "a time": [time(), { type: "string", format: "date-time" }],
    "a list": [
      list(string(), { maxItems: 3 }),
      {
        type: "array",
        items: { type: "string" },
        "x-kubernetes-list-type": "atomic",
        maxItems: 3,
      },
    ],
    "a set": [
      set(string()),
      { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
    ],
    "a list with keys": [
      listMap(object({ name: required(string(), "The name.") }), ["name"]),
      {
        type: "array",
        items: {
          type: "object",
          properties: { name: { description: "The name.", type: "string" } },
          required: ["name"],
        },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      },
    ],
    "a map": [
      map(integer(), { maxProperties: 2, atomic: true }),
      {
        type: "object",
        additionalProperties: { type: "integer" },
        maxProperties: 2,
        "x-kubernetes-map-type": "atomic",
      },
    ],
    "an object with a rule": [
      object(
        {},
        { rules: [rule("self == oldSelf", "must not change", { optionalOldSelf: true })] },
      ),
      {
        type: "object",
        properties: {},
        "x-kubernetes-validations": [
          { rule: "self == oldSelf", message: "must not change", optionalOldSelf: true },
        ],
      },
    ],
    "an object with a field of each presence": [
      object({
        a: required(string(), "A."),
        b: optional(string(), "B."),
        c: defaulted(string(), "x", "C."),
      }),
      {
        type: "object",
        properties: {
          a: { description: "A.", type: "string" },
          b: { description: "B.", type: "string" },
          c: { description: "C.", type: "string", default: "x" },
        },
        required: ["a"],
      },
    ],
    "null or a string": [nullable(string()), { type: "string", nullable: true }],
    "an object of any content": [
      unknownObject(),
      { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    ],
    "a whole object of another kind": [
      embeddedObject(),
      {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
    ],
    "any value": [unknownValue(), { "x-kubernetes-preserve-unknown-fields": true }],
  };
  for (const [what, [type, schema]] of Object.entries(rows)) {
    test(`declares ${what}`, () => assert.deepEqual(type.schema, schema));
  }

  test("takes the durations and quantities that Go writes, and no others", () => {
    const matches = (type: FieldType, text: string) =>
      new RegExp(type.schema.pattern ?? "").test(text);
    for (const text of ["1h", "1h30m0s", "1.5s", "100ms"]) assert.ok(matches(duration(), text));
    for (const text of ["", "1", "-1h", "1 h", "1d"]) assert.ok(!matches(duration(), text));
    for (const text of ["1", "500m", "1.5Gi", "1e3", "-1"]) assert.ok(matches(quantity(), text));
    for (const text of ["", "Gi", "1 Gi", "1gi"]) assert.ok(!matches(quantity(), text));
  });
});

describe("a kind", () => {
  const spec = required(
    object({ replicas: optional(integer(), "How many.") }),
    "The desired state.",
  );
  const status = optional(object({ replicas: optional(integer(), "How many.") }), "What is.");
  const names = {
    group: "example.dev",
    kind: "Widget",
    plural: "widgets",
    scope: "Namespaced",
  } as const;

  test("with everything becomes a CustomResourceDefinition with everything", () => {
    const kind = defineKind({
      ...names,
      singular: "gadget",
      shortNames: ["wg"],
      categories: ["all"],
      labels: { "cluster.x-k8s.io/v1beta2": "v1" },
      annotations: { "example.dev/note": "x" },
      versions: {
        v1: {
          doc: "Widget is a widget.",
          fields: { spec, status },
          rules: [rule("self.metadata.name != 'x'", "must not be x")],
          storage: true,
          scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
          columns: [{ name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
          selectableFields: [".spec.replicas"],
        },
        v1beta1: { doc: "Old.", fields: { spec }, deprecated: "use v1" },
        v1alpha1: { doc: "Older.", fields: { spec }, served: false, deprecated: true },
      },
    });
    const properties = {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      spec: spec.schema,
    };
    const required = ["spec"];
    assert.deepEqual(customResourceDefinitionOf(kind), {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: {
        name: "widgets.example.dev",
        labels: { "cluster.x-k8s.io/v1beta2": "v1" },
        annotations: { "example.dev/note": "x" },
      },
      spec: {
        group: "example.dev",
        names: {
          kind: "Widget",
          listKind: "WidgetList",
          plural: "widgets",
          singular: "gadget",
          shortNames: ["wg"],
          categories: ["all"],
        },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                description: "Widget is a widget.",
                type: "object",
                "x-kubernetes-validations": [
                  { rule: "self.metadata.name != 'x'", message: "must not be x" },
                ],
                properties: { ...properties, status: status.schema },
                required,
              },
            },
            subresources: {
              status: {},
              scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
            },
            additionalPrinterColumns: [
              { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
            ],
            selectableFields: [{ jsonPath: ".spec.replicas" }],
          },
          {
            name: "v1beta1",
            served: true,
            storage: false,
            deprecated: true,
            deprecationWarning: "use v1",
            schema: {
              openAPIV3Schema: { description: "Old.", type: "object", properties, required },
            },
          },
          {
            name: "v1alpha1",
            served: false,
            storage: false,
            deprecated: true,
            schema: {
              openAPIV3Schema: { description: "Older.", type: "object", properties, required },
            },
          },
        ],
      },
    });
  });

  test("has the names that clients need", () => {
    const kind = defineKind({ ...names, versions: { v1: { doc: ".", fields: { spec, status } } } });
    assert.deepEqual(resourceOf(kind, "v1"), {
      group: "example.dev",
      version: "v1",
      kind: "Widget",
      plural: "widgets",
      singular: "widget",
      listKind: "WidgetList",
      namespaced: true,
      subresources: ["status"],
    });
  });

  test("must have exactly one storage version", () => {
    const version = { doc: ".", fields: { spec } };
    const stored = { ...version, storage: true };
    for (const versions of [{}, { v1: version, v2: version }, { v1: stored, v2: stored }]) {
      assert.throws(() => defineKind({ ...names, versions }), {
        code: "InvalidDeclaration",
        message: /could not declare the kind Widget: it has \d storage versions/,
      });
    }
  });
});
