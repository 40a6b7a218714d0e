import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PatchError } from "../../errors.ts";
import { deepFreeze } from "../../object/deep.ts";
import { applyStrategicMergePatch } from "./apply.ts";
import type { PatchField, PatchSchema } from "./known-schemas.ts";

const leaf: PatchSchema = { field: () => undefined };

function schema(fields: Record<string, PatchField>): PatchSchema {
  return { field: (name) => (Object.hasOwn(fields, name) ? fields[name] : undefined) };
}

/** A part of a pod's schema: the strategies are Kubernetes' own. */
const ports: PatchField = { strategy: "merge", mergeKey: "containerPort", schema: leaf };
const containers: PatchField = {
  strategy: "merge",
  mergeKey: "name",
  schema: schema({ ports, args: { schema: leaf }, resources: { schema: leaf } }),
};
const metadata: PatchField = {
  schema: schema({
    labels: { schema: leaf },
    finalizers: { strategy: "merge", schema: leaf },
  }),
};
const spec: PatchField = {
  schema: schema({
    containers,
    nodeSelector: { strategy: "replace", schema: leaf },
    strategy: { schema: leaf },
    tolerations: { schema: leaf },
    broken: { strategy: "merge", schema: leaf },
  }),
};
const pod = schema({ metadata, spec });

const list = (...names: string[]) => names.map((name) => ({ name }));

describe("applyStrategicMergePatch does what kube-apiserver 1.34 does", () => {
  const rows: Record<string, [document: object, patch: object, expected: object]> = {
    "merges objects and removes by null": [
      { metadata: { labels: { a: "1", b: "2" } } },
      { metadata: { labels: { a: null, c: "3", absent: null } } },
      { metadata: { labels: { b: "2", c: "3" } } },
    ],
    "replaces a list without a strategy": [
      { spec: { tolerations: [{ key: "a" }] } },
      { spec: { tolerations: [{ key: "b" }] } },
      { spec: { tolerations: [{ key: "b" }] } },
    ],
    "replaces an object whose strategy is replace": [
      { spec: { nodeSelector: { a: "1" } } },
      { spec: { nodeSelector: { b: "2" } } },
      { spec: { nodeSelector: { b: "2" } } },
    ],
    "merges a list by its key, items of the patch first": [
      { spec: { containers: [{ name: "a", image: "1", args: ["x"] }, { name: "b" }] } },
      { spec: { containers: [{ name: "c" }, { name: "a", image: "2" }] } },
      {
        spec: {
          containers: [{ name: "c" }, { name: "a", image: "2", args: ["x"] }, { name: "b" }],
        },
      },
    ],
    "merges lists in items of lists": [
      { spec: { containers: [{ name: "a", ports: [{ containerPort: 80, name: "http" }] }] } },
      {
        spec: {
          containers: [
            { name: "a", ports: [{ containerPort: 80, protocol: "UDP" }, { containerPort: 81 }] },
          ],
        },
      },
      {
        spec: {
          containers: [
            {
              name: "a",
              ports: [{ containerPort: 80, name: "http", protocol: "UDP" }, { containerPort: 81 }],
            },
          ],
        },
      },
    ],
    "deletes an item by the directive": [
      { spec: { containers: list("a", "b") } },
      { spec: { containers: [{ name: "a", $patch: "delete" }] } },
      { spec: { containers: list("b") } },
    ],
    "replaces a list by the directive of an item": [
      { spec: { containers: list("a", "b") } },
      { spec: { containers: [{ $patch: "replace" }, { name: "c" }] } },
      { spec: { containers: list("c") } },
    ],
    "replaces an object by the directive": [
      { metadata: { labels: { a: "1" } } },
      { metadata: { labels: { $patch: "replace", b: "2" } } },
      { metadata: { labels: { b: "2" } } },
    ],
    "empties an object by the directive": [
      { metadata: { labels: { a: "1" } } },
      { metadata: { labels: { $patch: "delete" } } },
      { metadata: { labels: {} } },
    ],
    "drops nulls and directives of what is new": [
      {},
      {
        metadata: { labels: { a: null, b: "1" } },
        spec: { containers: [{ name: "a", $patch: "delete" }] },
      },
      { metadata: { labels: { b: "1" } }, spec: { containers: [] } },
    ],
    "merges a list of scalars as a set": [
      { metadata: { finalizers: ["a", "b"] } },
      { metadata: { finalizers: ["c", "b"] } },
      { metadata: { finalizers: ["c", "a", "b"] } },
    ],
    "deletes from a list of scalars": [
      { metadata: { finalizers: ["a", "b", "c"] } },
      { metadata: { "$deleteFromPrimitiveList/finalizers": ["b", "absent"] } },
      { metadata: { finalizers: ["a", "c"] } },
    ],
    "keeps an item that is both deleted and added": [
      { metadata: { finalizers: ["a", "b"] } },
      { metadata: { finalizers: ["a"], "$deleteFromPrimitiveList/finalizers": ["a"] } },
      { metadata: { finalizers: ["a", "b"] } },
    ],
    "orders a list that does not change": [
      { spec: { containers: list("a", "b", "c") } },
      { spec: { "$setElementOrder/containers": list("c", "a") } },
      { spec: { containers: list("b", "c", "a") } },
    ],
    "orders a list as it merges it, others where they were": [
      { spec: { containers: list("a", "x", "b") } },
      {
        spec: {
          "$setElementOrder/containers": list("b", "new", "a"),
          containers: [{ name: "new" }, { name: "a", image: "2" }],
        },
      },
      {
        spec: {
          containers: [{ name: "x" }, { name: "b" }, { name: "new" }, { name: "a", image: "2" }],
        },
      },
    ],
    "orders a list of scalars": [
      { metadata: { finalizers: ["a", "b"] } },
      { metadata: { finalizers: ["c"], "$setElementOrder/finalizers": ["c", "b", "a"] } },
      { metadata: { finalizers: ["c", "b", "a"] } },
    ],
    "ignores the order of a list that is not there": [
      { spec: {} },
      { spec: { "$setElementOrder/containers": list("a") } },
      { spec: {} },
    ],
    "retains only the named keys": [
      { spec: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } } },
      { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
      { spec: { strategy: { type: "Recreate" } } },
    ],
    "replaces what changed its type": [
      { spec: { tolerations: "x" } },
      { spec: { tolerations: [{ key: "a", value: null }] } },
      { spec: { tolerations: [{ key: "a" }] } },
    ],
  };
  for (const [name, [document, patch, expected]] of Object.entries(rows)) {
    it(name, () => {
      const result = applyStrategicMergePatch(deepFreeze(document), deepFreeze(patch), pod);
      assert.deepEqual(result, expected);
    });
  }
});

describe("applyStrategicMergePatch refuses in kube-apiserver's words", () => {
  const document = {
    metadata: { labels: {} },
    spec: { containers: list("a"), broken: [{ a: 1 }] },
  };
  const rows: Record<string, [patch: object, reason: string, httpStatus: number]> = {
    "an unknown directive": [
      { metadata: { labels: { $patch: "merge", a: "1" } } },
      "unknown patch type: merge in map: map[$patch:merge a:1]",
      500,
    ],
    "a merge of lists by directive": [
      { spec: { containers: [{ name: "a", $patch: "merge" }] } },
      "merging lists cannot yet be specified in the patch",
      500,
    ],
    "an item without its merge key": [
      { spec: { containers: [{ image: "x" }] } },
      "map: map[image:x] does not contain declared merge key: name",
      500,
    ],
    "a list of different things": [
      { spec: { containers: ["a"] } },
      "list element types are not identical: [[map[name:a]] [a]]",
      500,
    ],
    "a merging list of objects without a merge key": [
      { spec: { broken: [{ b: 1 }] } },
      "cannot merge lists without merge key for struct",
      500,
    ],
    "a key that is not retained": [
      { spec: { $retainKeys: ["containers"], tolerations: [] } },
      "invalid patch format of retainKeys",
      400,
    ],
    "a parallel list without a field": [
      { metadata: { $deleteFromPrimitiveList: ["a"] } },
      "invalid patch format of primitive list",
      400,
    ],
    "an order without a field": [
      { spec: { $setElementOrder: [] } },
      "invalid patch format of setElementOrder list",
      400,
    ],
    "an order that is no list": [
      { spec: { "$setElementOrder/containers": "a" } },
      "expected a []interface {}, but received a string",
      500,
    ],
    "a patch in another order than it asks for": [
      { spec: { "$setElementOrder/containers": list("a", "b"), containers: list("b", "a") } },
      "The order in patch list:\n[map[name:b] map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:a] map[name:b]]\n",
      500,
    ],
  };
  for (const [name, [patch, reason, httpStatus]] of Object.entries(rows)) {
    it(name, () => {
      assert.throws(
        () => applyStrategicMergePatch(document, patch, pod),
        (error) =>
          error instanceof PatchError && error.reason === reason && error.httpStatus === httpStatus,
      );
    });
  }

  it("an unknown field that would have to be merged", () => {
    assert.throws(
      () => applyStrategicMergePatch({ other: {} }, { other: {} }, pod),
      (error) => error instanceof PatchError && error.reason === 'unable to find api field "other"',
    );
  });
});
