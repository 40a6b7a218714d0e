import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServedResource } from "@rookery/apiserver";
import { createTestServer } from "../../test/asking.ts";
import { greetingGroup } from "../../test/greetings.ts";
import { MemoryStore } from "../../test/memory-store.ts";

const group = "greetings.k8s.io";
const document = `/openapi/v3/apis/${group}/v1`;
const meta = "io.k8s.apimachinery.pkg.apis.meta.v1";
const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const published: Record<string, object> = {
  "io.k8s.api.greetings.v1.Greeting": {
    description: "As Kubernetes has it.",
    type: "object",
    properties: {
      metadata: { allOf: [refer(`${meta}.ObjectMeta`)], default: {}, description: "About it." },
      // Names of fields that are words of OpenAPI elsewhere.
      default: refer("io.k8s.api.greetings.v1.Port"),
      $ref: { type: "string" },
    },
  },
  "io.k8s.api.greetings.v1.GreetingList": {
    type: "object",
    properties: { items: { type: "array", items: refer("io.k8s.api.greetings.v1.Greeting") } },
  },
  "io.k8s.api.greetings.v1.Port": {
    format: "int-or-string",
    oneOf: [{ type: "integer" }, { type: "string" }],
  },
  "io.k8s.api.greetings.v1.Unused": { type: "object" },
  "io.k8s.api.autoscaling.v1.Scale": { type: "object", description: "A scale." },
  [`${meta}.ObjectMeta`]: { type: "object", description: "Kubernetes' own." },
};

function createServer(changes: Partial<ServedResource> = {}) {
  const asked: string[] = [];
  const store = new MemoryStore({ group, resource: "greetings" });
  const { get, update } = store.handlers;
  const kind = { group: "autoscaling", version: "v1", kind: "Scale" };
  const resource = {
    handlers: store.handlers,
    namespaced: true,
    patchSchema: { field: () => undefined },
    model: "io.k8s.api.greetings.v1.Greeting",
    subresources: {
      scale: { kind, model: "io.k8s.api.autoscaling.v1.Scale", handlers: { get, update } },
    },
    ...changes,
  };
  const groups = [greetingGroup(group, resource)];
  const models = (name: string) => {
    asked.push(name);
    return published[name];
  };
  return { ...createTestServer({ groups, models }), groups, asked };
}

test("a kind with a model of its own is published with it, and with what it refers to", async () => {
  const { ask } = createServer();
  const { schemas } = (await ask(document)).body.components;
  const model = "io.k8s.api.greetings.v1.Greeting";
  assert.deepEqual(schemas[model], published[model]);
  assert.deepEqual(schemas[`${meta}.ObjectMeta`], published[`${meta}.ObjectMeta`]);
  assert.equal(schemas["io.k8s.api.autoscaling.v1.Scale"].description, "A scale.");
  assert.ok(schemas["io.k8s.api.greetings.v1.Port"]);
  assert.ok(schemas[`${meta}.DeleteOptions`], "what the source does not have is published anyway");
  assert.equal(schemas["io.k8s.api.greetings.v1.Unused"], undefined);
});

test("its operations are called as kube-apiserver calls them", async () => {
  const { paths } = (await createServer().ask(document)).body;
  const root = `/apis/${group}/v1`;
  const named = `${root}/namespaces/{namespace}/greetings`;
  const told = [
    paths[`${root}/greetings`].get,
    paths[named].post,
    paths[named].delete,
    paths[`${named}/{name}`].patch,
    paths[`${named}/{name}/scale`].put,
  ].map(({ operationId, description }) => [operationId, description]);
  assert.deepEqual(told, [
    ["listGreetingsV1GreetingForAllNamespaces", "list or watch objects of kind Greeting"],
    ["createGreetingsV1NamespacedGreeting", "create a Greeting"],
    ["deleteGreetingsV1CollectionNamespacedGreeting", "delete collection of Greeting"],
    ["patchGreetingsV1NamespacedGreeting", "partially update the specified Greeting"],
    ["replaceGreetingsV1NamespacedGreetingScale", "replace scale of the specified Greeting"],
  ]);
  assert.deepEqual(Object.keys(paths[`${named}/{name}`].patch.requestBody.content), [
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
  ]);
});

test("OpenAPI v2 has the same models in its own words", async () => {
  const { definitions } = (await createServer().ask("/openapi/v2")).body;
  assert.deepEqual(definitions["io.k8s.api.greetings.v1.Greeting"].properties, {
    metadata: { description: "About it.", $ref: `#/definitions/${meta}.ObjectMeta` },
    default: { $ref: "#/definitions/io.k8s.api.greetings.v1.Port" },
    $ref: { type: "string" },
  });
  assert.deepEqual(definitions["io.k8s.api.greetings.v1.Port"], {
    format: "int-or-string",
    type: "string",
  });
});

test("models are asked for with a document, and again only for a version that changed", async () => {
  const { ask, setGroups, groups, asked } = createServer();
  await ask("/apis");
  assert.deepEqual(asked, []);
  const { etag } = (await ask(document)).headers;
  const before = asked.length;
  assert.ok(before > 0);
  setGroups([...groups, greetingGroup("other.example.com")]);
  assert.equal((await ask(document)).headers.etag, etag);
  assert.equal(asked.length, before);
  const { paths } = (await ask("/openapi/v3")).body;
  assert.deepEqual(Object.keys(paths), [`apis/${group}/v1`, "apis/other.example.com/v1"]);
});
