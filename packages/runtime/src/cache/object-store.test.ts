import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, labelSelectorFromSet, type OwnerReference } from "@rookery/kube";
import fc from "fast-check";
import type { IndexMissingError } from "../errors.ts";
import { byOwnerUid, ObjectStore } from "./object-store.ts";

function nest(
  key: string,
  more: { readonly labels?: Record<string, string>; readonly owners?: readonly string[] } = {},
): KubeObject {
  const [namespace = "", name = ""] = key.split("/");
  const ownerReferences = more.owners?.map(
    (uid): OwnerReference => ({ apiVersion: "v1", kind: "Bird", name: uid, uid }),
  );
  const metadata = {
    namespace,
    name,
    ...(more.labels && { labels: more.labels }),
    ...(ownerReferences && { ownerReferences }),
  };
  return { apiVersion: "v1", kind: "Nest", metadata };
}

function storeOf(...objects: readonly KubeObject[]): ObjectStore<KubeObject> {
  const store = new ObjectStore<KubeObject>();
  store.addIndex("owner", byOwnerUid);
  for (const object of objects) store.set(object);
  return store;
}

const keys = (objects: readonly KubeObject[]) =>
  objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).toSorted();

describe("an object store", () => {
  const store = storeOf(
    nest("one/a", { labels: { colour: "red" }, owners: ["tern", "gull"] }),
    nest("one/b", { labels: { colour: "blue" }, owners: ["tern"] }),
    nest("two/a", { owners: ["tern"] }),
    nest("/cluster", { labels: { colour: "red" } }),
  );
  const red = labelSelectorFromSet({ colour: "red" });
  const queries = {
    "all objects": [{}, ["/cluster", "one/a", "one/b", "two/a"]],
    "those of a namespace": [{ namespace: "one" }, ["one/a", "one/b"]],
    "those of no namespace": [{ namespace: "" }, ["/cluster"]],
    "those with labels": [{ labels: red }, ["/cluster", "one/a"]],
    "those with labels in a namespace": [{ labels: red, namespace: "one" }, ["one/a"]],
    "those of an owner": [{ index: { name: "owner", value: "gull" } }, ["one/a"]],
    "those of an owner in a namespace": [
      { index: { name: "owner", value: "tern" }, namespace: "one" },
      ["one/a", "one/b"],
    ],
    "none of an unknown owner": [{ index: { name: "owner", value: "crow" } }, []],
  } as const;
  for (const [what, [query, expected]] of Object.entries(queries)) {
    it(`lists ${what}`, () => assert.deepEqual(keys(store.list(query)), expected));
  }

  it("gets an object by its key, and nothing where there is none", () => {
    assert.equal(store.get({ namespace: "two", name: "a" })?.metadata.namespace, "two");
    assert.equal(store.get({ name: "cluster" })?.metadata.name, "cluster");
    assert.equal(store.get({ namespace: "two", name: "b" }), undefined);
  });

  it("says which indexes there are where one is missing", () => {
    assert.throws(() => store.list({ index: { name: "colour", value: "red" } }), {
      code: "IndexMissing",
      message: 'could not list by index "colour": it was not added; there are owner',
    } satisfies Partial<IndexMissingError>);
  });

  it("finds in a new index what was there before", () => {
    store.addIndex("name", ({ metadata }) => [metadata.name ?? ""]);
    const found = store.list({ index: { name: "name", value: "a" } });
    assert.deepEqual(keys(found), ["one/a", "two/a"]);
  });

  it("finds by index what a search through all objects finds, whatever changed", () => {
    const change = fc.record({
      key: fc.constantFrom("one/a", "one/b", "two/a"),
      owners: fc.option(fc.uniqueArray(fc.constantFrom("tern", "gull", "crow"))),
    });
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const store = storeOf();
        for (const { key, owners } of changes) {
          const object = nest(key, { owners: owners ?? [] });
          if (owners) store.set(object);
          else store.delete({ namespace: "", name: "", ...object.metadata });
        }
        assert.equal(store.size, store.list().length);
        for (const owner of ["tern", "gull", "crow"]) {
          const found = store.list({ index: { name: "owner", value: owner } });
          const expected = store.list().filter((object) => byOwnerUid(object).includes(owner));
          assert.deepEqual(keys(found), keys(expected));
        }
      }),
    );
  });
});
