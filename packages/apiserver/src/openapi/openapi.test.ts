import assert from "node:assert/strict";
import { test } from "node:test";
import type { JSONSchemaProps } from "@rookery/schema";
import { createTestServer } from "../../test/asking.ts";
import { greetingGroup } from "../../test/greetings.ts";
import { MemoryStore } from "../../test/memory-store.ts";

const group = "greetings.testing.rookery.dev";
const model = "dev.rookery.testing.greetings.v1.Greeting";
const now = () => new Date("2026-01-01T00:00:00Z");
const { ask } = createTestServer({ now });

async function addressOf(name: string): Promise<string> {
  return (await ask("/openapi/v3")).body.paths[name].serverRelativeURL;
}

test("the index names each document by its hash", async () => {
  assert.match(
    await addressOf(`apis/${group}/v1`),
    /^\/openapi\/v3\/apis\/greetings\.\S+\/v1\?hash=[0-9A-F]{128}$/,
  );
});

test("a document under its hash is for ever", async () => {
  const { status, headers } = await ask(await addressOf(`apis/${group}/v1`));
  assert.equal(status, 200);
  assert.equal(headers["cache-control"], "public, immutable");
  assert.equal(headers.expires, "Fri, 01 Jan 2027 00:00:00 GMT");
  assert.equal(headers.vary, "Accept");
});

test("a document under another hash is somewhere else, without one it is as it is", async () => {
  const path = `/openapi/v3/apis/${group}/v1`;
  const moved = await ask(`${path}?hash=old`);
  assert.equal(moved.status, 301);
  assert.equal(moved.headers.location, await addressOf(`apis/${group}/v1`));
  const { status, headers } = await ask(path);
  assert.equal(status, 200);
  assert.equal(headers["cache-control"], "no-cache, private");
  assert.equal(
    (await ask(path, { headers: { "if-none-match": String(headers.etag) } })).status,
    304,
  );
  assert.equal((await ask(path, { headers: { accept: "text/html" } })).status, 406);
  assert.equal((await ask("/openapi/v3/apis/nope/v1")).status, 404);
});

/** Every reference in a document. */
function referencesIn(document: object): string[] {
  return [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = ""]) => ref);
}

test("a kind's schema is published with the metadata that every kind has", async () => {
  const { body } = await ask(`/openapi/v3/apis/${group}/v1`);
  const schema = body.components.schemas[model];
  assert.equal(schema.description, "Says hello to someone.");
  assert.deepEqual(schema["x-kubernetes-group-version-kind"], [
    { group, version: "v1", kind: "Greeting" },
  ]);
  assert.deepEqual(Object.keys(schema.properties), [
    "apiVersion",
    "kind",
    "metadata",
    "spec",
    "status",
  ]);
  assert.equal(schema.properties.spec.properties.times.default, 1);
  const list = body.components.schemas[`${model}List`];
  assert.deepEqual(list.properties.items.items, { $ref: `#/components/schemas/${model}` });
});

test("every reference of every document leads somewhere", async () => {
  const store = new MemoryStore({ group, resource: "greetings" });
  const { get, update } = store.handlers;
  const changes = {
    handlers: store.handlers,
    namespaced: true,
    subresources: { status: { handlers: { get, update } } },
  };
  const full = createTestServer({ groups: [greetingGroup(group, changes)] });
  const v3 = (await full.ask(`/openapi/v3/apis/${group}/v1`)).body;
  const v2 = (await full.ask("/openapi/v2")).body;
  assert.ok(referencesIn(v3).length > 30);
  for (const reference of referencesIn(v3)) {
    assert.ok(v3.components.schemas[reference.replace("#/components/schemas/", "")], reference);
  }
  for (const reference of referencesIn(v2)) {
    assert.ok(v2.definitions[reference.replace("#/definitions/", "")], reference);
  }
  assert.deepEqual(Object.keys(v3.paths), [
    `/apis/${group}/v1/greetings`,
    `/apis/${group}/v1/namespaces/{namespace}/greetings`,
    `/apis/${group}/v1/namespaces/{namespace}/greetings/{name}`,
    `/apis/${group}/v1/namespaces/{namespace}/greetings/{name}/status`,
  ]);
  const ids = Object.values(v3.paths as Record<string, Record<string, { operationId: string }>>)
    .flatMap((item) => Object.values(item))
    .map(({ operationId }) => operationId);
  assert.equal(new Set(ids).size, ids.length);
});

test("operations say what kubectl looks for", async () => {
  const { body } = await ask(`/openapi/v3/apis/${group}/v1`);
  const { post, get } = body.paths[`/apis/${group}/v1/greetings`];
  assert.equal(post["x-kubernetes-action"], "post");
  assert.deepEqual(post["x-kubernetes-group-version-kind"], {
    group,
    version: "v1",
    kind: "Greeting",
  });
  const parameters = post.parameters.map(({ name }: { name: string }) => name);
  assert.ok(parameters.includes("fieldValidation"));
  assert.equal(get["x-kubernetes-action"], "list");
});

test("OpenAPI v2 leaves out what it has no word for", async () => {
  const schema: JSONSchemaProps = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        default: { $model: "nothing" },
        properties: {
          port: { "x-kubernetes-int-or-string": true, description: "A port." },
          maybe: { type: "string", nullable: true },
          either: {
            type: "object",
            oneOf: [{ required: ["a"] }],
            properties: { a: { type: "string" } },
          },
          nullable: { type: "string" },
        },
      },
    },
  };
  const server = createTestServer({ groups: [greetingGroup(group, { schema })] });
  const { definitions } = (await server.ask("/openapi/v2")).body;
  assert.deepEqual(definitions[model].properties.spec, {
    type: "object",
    properties: {
      port: { description: "A port." },
      maybe: {},
      either: { type: "object", properties: { a: { type: "string" } } },
      nullable: { type: "string" },
    },
  });
});
