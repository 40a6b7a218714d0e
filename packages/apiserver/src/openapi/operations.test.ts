import assert from "node:assert/strict";
import { test } from "node:test";
import { operationsOf } from "./operations.ts";

const scale = { group: "autoscaling", version: "v1", kind: "Scale" };
const at = { group: "nests.testing.rookery.dev", version: "v1" };

function kindsOf(dialect: "custom" | "built-in"): readonly string[] {
  const handlers = { get: () => ({ apiVersion: "v1", kind: "Nest", metadata: {} }) };
  const resource = {
    plural: "nests",
    singular: "nest",
    kind: "Nest",
    namespaced: true,
    handlers,
    schema: { type: "object" },
    subresources: { scale: { kind: scale, handlers } },
    ...(dialect === "custom" && { dialect }),
  };
  return operationsOf(resource, at).map(
    ({ path, kind }) => `${path.split("/").at(-1)} ${kind.kind}`,
  );
}

test("a scale is of its own kind, but called that of a custom resource", () => {
  assert.deepEqual(kindsOf("built-in"), ["{name} Nest", "scale Scale"]);
  assert.deepEqual(kindsOf("custom"), ["{name} Nest", "scale Nest"]);
});
