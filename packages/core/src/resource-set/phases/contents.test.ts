import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ResourceError } from "../../errors.ts";
import type { DataObject } from "../scope.ts";
import { hashOf, objectsIn, valuesOf } from "./contents.ts";

const configMap = (data?: Record<string, string>): DataObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "team", name: "addons" },
  ...(data && { data }),
});

const object = (kind: string, name: string) =>
  JSON.stringify({ apiVersion: "v1", kind, metadata: { name } });

function namesIn(data: DataObject): (string | undefined)[] {
  return objectsIn(data, valuesOf(data)).map(({ metadata }) => metadata.name);
}

describe("what a ClusterResourceSet applies", () => {
  test("comes in the order of keys, and of kinds that others need first", () => {
    const data = configMap({
      b: object("ConfigMap", "last"),
      a: `${object("Deployment", "third")}\n---\n${object("Namespace", "first")}\n---\n${object("ConfigMap", "second")}`,
    });
    assert.deepEqual(namesIn(data), ["first", "second", "third", "last"]);
  });

  test("may be a JSON list, and have empty documents", () => {
    const data = configMap({
      a: `[${object("ConfigMap", "a")},${object("ConfigMap", "b")}]`,
      b: "---\n---\n",
    });
    assert.deepEqual(namesIn(data), ["a", "b"]);
  });

  test("is decoded where it is in a Secret of the right type", () => {
    const encoded = Buffer.from(object("ConfigMap", "a")).toString("base64");
    const type = "addons.cluster.x-k8s.io/resource-set";
    assert.deepEqual(namesIn({ ...configMap({ a: encoded }), kind: "Secret", type }), ["a"]);
  });

  const refused: Record<string, readonly [DataObject, ResourceError["reason"]]> = {
    "a Secret of another type": [
      { ...configMap({ a: "" }), kind: "Secret", type: "Opaque" },
      "WrongSecretType",
    ],
    "what has no data": [configMap(), "Unreadable"],
    "what is no YAML": [configMap({ a: "a: [" }), "Unreadable"],
    "what is no object": [configMap({ a: "just words" }), "Unreadable"],
  };
  for (const [name, [data, reason]] of Object.entries(refused)) {
    test(`is refused: ${name}`, () => {
      assert.throws(
        () => namesIn(data),
        (error) => error instanceof ResourceError && error.reason === reason,
      );
    });
  }

  test("has the hash that Cluster API gives it", () => {
    // printf 'ab' | sha256sum
    const expected = "sha256:fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603";
    assert.equal(hashOf([Buffer.from("a"), Buffer.from("b")]), expected);
  });
});
