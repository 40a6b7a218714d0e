import type { JSONSchemaProps } from "@rookery/schema";
import { apply, create, json, merge, type Subject, update } from "./sequence.ts";

export const group = "managed-fields.testing.rookery.dev";

const text = { type: "string" } as const;
const port = {
  type: "object",
  properties: { name: text, number: { type: "integer" }, protocol: { ...text, default: "TCP" } },
  required: ["number"],
} as const;

/** One field for each way of merging. */
export const schema: JSONSchemaProps = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        name: text,
        times: { type: "integer" },
        size: { "x-kubernetes-int-or-string": true },
        flag: { type: "boolean" },
        list: { type: "array", items: text },
        set: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        numbers: { type: "array", items: { type: "number" }, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          items: port,
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["number", "protocol"],
        },
        granular: { type: "object", additionalProperties: text },
        atomic: {
          type: "object",
          properties: { a: text, b: text },
          "x-kubernetes-map-type": "atomic",
        },
        nested: {
          type: "object",
          properties: { deep: { type: "object", properties: { a: text, b: text } } },
        },
        anything: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        template: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    },
    status: {
      type: "object",
      properties: {
        phase: text,
        conditions: {
          type: "array",
          items: {
            type: "object",
            properties: { type: text, status: text },
            required: ["type"],
          },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
        },
      },
    },
  },
};

const { spec: specProps, ...others } = schema.properties ?? {};

/** In which some fields are merged in other ways. */
export const otherSchema: JSONSchemaProps = {
  type: "object",
  properties: {
    ...others,
    spec: {
      ...specProps,
      properties: {
        ...specProps?.properties,
        list: { type: "array", items: text, "x-kubernetes-list-type": "set" },
        set: { type: "array", items: text },
        nested: {
          type: "object",
          properties: { deep: { type: "object", properties: { a: text, b: text } } },
          "x-kubernetes-map-type": "atomic",
        },
      },
    },
  },
};

const inV2 = { apiVersion: `${group}/v2` };

const spec = (fields: object) => ({ spec: fields });
/** Of an object in an object: no collector of garbage looks there. */
const owners = (...references: object[]) =>
  spec({
    template: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        ownerReferences: references.map((each) => ({ apiVersion: "v1", kind: "Pod", ...each })),
      },
    },
  });
const status = { subresource: "status" };
const force = { force: true };

export const customSubject: Subject = {
  apiVersion: `${group}/v1`,
  kind: "Nest",
  plural: "nests",
  resetFields: { "": [["status"]], status: [["spec"]] },
  sequences: {
    "a creation owns what it says": [
      create(
        "ann",
        spec({
          name: "a",
          size: "10%",
          list: ["a"],
          set: ["b", "a"],
          numbers: [2, 1.5, 10],
          ports: [{ number: 80 }, { number: 80, protocol: "UDP", name: "u" }],
          granular: { x: "1" },
          atomic: { a: "1" },
          nested: { deep: { a: "1" } },
          anything: { a: { b: [1, { c: 2 }] }, d: null },
        }),
      ),
    ],
    "empty maps and lists": [
      create("ann", spec({ list: [], set: [], ports: [], granular: {}, nested: {}, anything: {} })),
      merge("ben", spec({ nested: { deep: {} }, granular: { a: "1" } })),
      merge("cat", spec({ granular: { a: null }, set: null })),
    ],
    "empty maps and lists that are applied": [
      apply("ann", spec({ list: [], set: [], ports: [], granular: {}, nested: {}, anything: {} })),
      apply("ann", spec({ nested: { deep: {} } })),
      apply("ann", {}),
    ],
    "a list that is one value": [
      apply("ann", spec({ list: ["a", "b"] })),
      apply("ben", spec({ list: ["a", "b"] })),
      apply("ben", spec({ list: ["a"] })),
      apply("ben", spec({ list: ["a"] }), force),
    ],
    "a set": [
      apply("ann", spec({ set: ["a", "b"], numbers: [1, 2] })),
      apply("ben", spec({ set: ["c", "a"], numbers: [2, 3] })),
      apply("ann", spec({ set: ["b"], numbers: [1] })),
      merge("cat", spec({ set: ["x"] })),
    ],
    "a list of maps": [
      apply("ann", spec({ ports: [{ number: 80, name: "a" }, { number: 81 }] })),
      apply("ben", spec({ ports: [{ number: 82 }, { number: 80, protocol: "TCP" }] })),
      apply("ben", spec({ ports: [{ number: 80, protocol: "TCP", name: "b" }] })),
      apply("ann", spec({ ports: [{ number: 81 }] })),
      json("cat", [{ op: "remove", path: "/spec/ports/0" }]),
    ],
    "the order of a list of maps is the one that is applied last": [
      create("ann", spec({ ports: [1, 2, 3, 4, 5].map((number) => ({ number })) })),
      apply("ben", spec({ ports: [4, 2, 9].map((number) => ({ number })) })),
      apply("ben", spec({ ports: [9, 5, 1].map((number) => ({ number })) })),
    ],
    "a map that is one value": [
      apply("ann", spec({ atomic: { a: "1" } })),
      apply("ben", spec({ atomic: { b: "1" } })),
      apply("ben", spec({ atomic: { b: "1" } }), force),
      apply("ben", {}),
    ],
    "a map by its keys": [
      apply("ann", spec({ granular: { x: "1", y: "1" } })),
      apply("ben", spec({ granular: { z: "1" } })),
      apply("ann", spec({ granular: { x: "1" } })),
      apply("ann", {}),
      apply("ben", {}),
    ],
    "fields in fields": [
      apply("ann", spec({ nested: { deep: { a: "1" } } })),
      apply("ben", spec({ nested: { deep: { b: "1" } } })),
      apply("ann", {}),
      apply("ben", {}),
    ],
    "what nothing is declared of": [
      apply("ann", spec({ anything: { a: { b: 1, c: [1] }, d: "x" } })),
      apply("ben", spec({ anything: { a: { e: true } } })),
      apply("ben", spec({ anything: { a: [1] } }), force),
      apply("ann", spec({ anything: { d: "x" } })),
    ],
    "an object in an object": [
      apply(
        "ann",
        spec({
          template: {
            apiVersion: "v1",
            kind: "Pod",
            metadata: { name: "a", labels: { a: "1" }, finalizers: ["example.com/x"] },
            spec: { x: [1] },
          },
        }),
      ),
      apply("ben", spec({ template: { metadata: { labels: { b: "1" } } } })),
    ],
    "owners are told apart by uid": [
      apply("ann", owners({ name: "a", uid: "1<2" })),
      apply("ben", owners({ name: "b", uid: "2" })),
      apply("ben", owners({ name: "a", uid: "1<2" }, { name: "b", uid: "2" })),
      apply("ann", {}),
      apply("ben", owners({ name: "c", uid: "2" })),
    ],
    "a status is owned by its subresource": [
      create("ann", { ...spec({ name: "a" }), status: { phase: "x" } }),
      merge("ben", { status: { phase: "a" }, spec: { name: "b" } }, status),
      apply("cat", { status: { conditions: [{ type: "A", status: "True" }] } }, status),
      apply("ann", { ...spec({ times: 2 }), status: { phase: "b" } }),
      apply("cat", { status: {} }, status),
    ],
    "entries of another version are kept in it": [
      create("ann", spec({ name: "a", list: ["a"], set: ["a"], nested: { deep: { a: "1" } } })),
      merge("ben", spec({ list: ["a", "b"], set: ["b"] }), inV2),
      merge("ann", spec({ set: ["b", "c"], nested: { deep: { b: "1" } } })),
      merge("cat", spec({ nested: { deep: { a: "2" } } }), inV2),
    ],
    "a manager applies in one version and then in another": [
      apply("ann", spec({ name: "a", list: ["a"], set: ["a", "b"], granular: { x: "1" } })),
      apply("ann", spec({ name: "a", list: ["a"], set: ["a"] }), inV2),
      apply("ann", spec({ list: ["a"] })),
    ],
    "managers apply in different versions": [
      apply("ann", spec({ list: ["a"], nested: { deep: { a: "1" } } })),
      apply("ben", spec({ list: ["b"], nested: { deep: { a: "2" } } }), inV2),
      apply("ben", spec({ list: ["b"] }), inV2),
      apply("ben", spec({ list: ["b"] }), { ...inV2, force: true }),
      apply("ann", spec({ name: "x" })),
    ],
    "a replacement": [
      create("ann", spec({ name: "a", times: 1, set: ["a"] })),
      update("ben", spec({ name: "a", times: 2, set: ["b"] })),
      update("ann", {}),
    ],
    "something twice in a set is refused": [apply("ann", spec({ set: ["a", "a"] }))],
    "an item twice is refused": [
      apply("ann", spec({ ports: [{ number: 1 }, { number: 1, protocol: "TCP" }] })),
    ],
    "a field that is not declared is refused": [apply("ann", spec({ nope: 1 }))],
    "a list in place of a scalar is refused": [apply("ann", spec({ name: ["a"] }))],
    "a number that is none is refused": [apply("ann", spec({ times: "x" }))],
    "a truth that is none is refused": [apply("ann", spec({ flag: { a: 1 } }))],
    "a list that is none is refused": [apply("ann", spec({ ports: "x" }))],
    "an item that is none is refused": [apply("ann", spec({ ports: ["x"] }))],
    "a map in a set is refused": [apply("ann", spec({ set: [{}] }))],
    "a list in a set is refused": [apply("ann", spec({ set: [[]] }))],
    "nothing in a set is refused": [apply("ann", spec({ set: [null] }))],
  },
};
