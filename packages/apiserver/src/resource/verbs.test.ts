import assert from "node:assert/strict";
import { test } from "node:test";
import { collectBody } from "@rookery/http";
import { FieldError, fieldPath } from "@rookery/kube";
import { createTestServer, requestOf } from "../../test/asking.ts";
import { MemoryStore } from "../../test/memory-store.ts";
import { asKind, createStored, greeting, group, path } from "../../test/stored.ts";

test("an object is created, read, listed, changed and deleted", async () => {
  const { ask, store } = createStored();
  assert.equal((await ask(path, { body: greeting() })).status, 201);
  const read = await ask(`${path}/x`);
  assert.deepEqual(read.body.spec, { name: "penguin", times: 1 });
  assert.equal((await ask(path)).body.items.length, 1);
  const changed = { ...read.body, spec: { name: "auk" } };
  const updated = await ask(`${path}/x`, { method: "PUT", body: changed });
  assert.deepEqual(updated.body.spec, { name: "auk", times: 1 });
  const stale = await ask(`${path}/x`, { method: "PUT", body: changed });
  assert.equal(stale.status, 409);
  assert.equal((await ask(`${path}/x`, { method: "DELETE" })).status, 200);
  assert.equal(store.objects.size, 0);
  assert.equal((await ask(`${path}/x`)).status, 404);
});

test("a deletion that only begins is 202 for those who do not orphan, and 200 for all others", async () => {
  const { ask } = createStored();
  const begun = { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 30 };
  for (const [options, status] of [
    [{ orphanDependents: false }, 202],
    [{ orphanDependents: true }, 200],
    [{ propagationPolicy: "Foreground" }, 200],
    [{}, 200],
  ] as const) {
    await ask(path, { body: greeting() });
    const body = { ...begun, ...options };
    assert.equal((await ask(`${path}/x`, { method: "DELETE", body })).status, status);
  }
});

test("all objects are deleted together", async () => {
  const { ask, store } = createStored();
  await ask(path, { body: greeting() });
  assert.equal((await ask(path, { method: "DELETE" })).status, 200);
  assert.equal(store.objects.size, 0);
});

test("a body that is too long is refused", async () => {
  const { ask } = createStored({}, { limits: { maxBodyBytes: 100 } });
  const { status, body } = await ask(path, { body: greeting({ spec: { name: "x".repeat(100) } }) });
  assert.equal(status, 413);
  assert.equal(body.message, "Request entity too large: limit is 100");
});

test("a body that nests without end is refused", async () => {
  const { ask } = createStored({
    schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  });
  const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
  const { status } = await ask(path, { body: `{"kind":"Greeting","spec":${deep}}` });
  assert.equal(status, 400);
});

test("Protobuf is refused, unless a decoder is registered", async () => {
  const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
  const question = { headers, body: new Uint8Array([0x6b, 0x38, 0x73, 0]) };
  const { status, body } = await createStored().ask(path, question);
  assert.equal(status, 415);
  assert.equal(
    body.message,
    "the body of the request was in an unknown format - accepted media types include: application/json, application/yaml",
  );
  const able = createStored({}, { protobuf: () => greeting() });
  assert.equal((await able.ask(path, question)).status, 201);
});

test("a dry run of a kind that has none is refused", async () => {
  const { ask } = createStored({ supportsDryRun: false });
  const { status, body } = await ask(`${path}?dryRun=All`, { body: greeting() });
  assert.equal(status, 400);
  assert.equal(body.message, "dryRun is not supported");
});

test("what only the server says is cleared, and owners that are there twice are one", async () => {
  const { ask } = createStored();
  const owner = { apiVersion: "v1", kind: "Pod", name: "a", uid: "1" };
  const metadata = {
    name: "x",
    uid: "7",
    namespace: "n",
    creationTimestamp: "2026-01-01T00:00:00Z",
    ownerReferences: [owner, owner],
  };
  const { body, headers } = await ask(path, { body: greeting({ metadata }) });
  assert.deepEqual(body.metadata, { name: "x", resourceVersion: "1", ownerReferences: [owner] });
  assert.match(
    String(headers.warning),
    /contains duplicate entries.*duplicate UID\(s\) observed: 1/,
  );
});

test("a kind of its own rules is asked before its schema", async () => {
  const { ask } = createStored({
    strategy: {
      prepareForCreate: (object) => ({ ...object, metadata: { ...object.metadata, name: "made" } }),
      validate: ({ metadata }) => [
        FieldError.invalid(fieldPath("metadata", "name"), metadata.name, "no"),
      ],
    },
  });
  const { status, body } = await ask(path, { body: greeting({ spec: {} }) });
  assert.equal(status, 422);
  assert.deepEqual(
    body.details.causes.map(({ field }: { field: string }) => field),
    ["metadata.name", "spec.name"],
  );
  assert.equal(body.details.name, "made");
});

test("a list selects by the fields that a kind has for that, and by no others", async () => {
  const { ask } = createStored({ selectableFields: ["spec.name"] });
  assert.equal((await ask(`${path}?fieldSelector=metadata.name%3Dx`)).status, 200);
  assert.equal((await ask(`${path}?fieldSelector=spec.name%3Dx`)).status, 200);
  const { status, body } = await ask(`${path}?fieldSelector=spec.times%3D1`);
  assert.equal(status, 400);
  assert.equal(body.message, "field label not supported: spec.times");
});

const namespaceSelections: Record<
  string,
  { selectableFields?: string[]; namespaced: boolean; status: number }
> = {
  "by the namespace where there are namespaces": {
    selectableFields: ["spec.name"],
    namespaced: true,
    status: 200,
  },
  "not by the namespace where there are none": {
    selectableFields: ["spec.name"],
    namespaced: false,
    status: 400,
  },
  "by an empty namespace where nothing else can be selected by": { namespaced: false, status: 200 },
};
for (const [how, { status, namespaced, ...kind }] of Object.entries(namespaceSelections)) {
  test(`a list selects ${how}`, async () => {
    const { ask } = createStored({ ...kind, namespaced });
    const base = namespaced ? path : path.replace(/namespaces\/[^/]+\//, "");
    const answer = await ask(`${base}?fieldSelector=metadata.namespace!%3Dx`);
    assert.equal(answer.status, status);
  });
}

test("a subresource has functions of its own", async () => {
  const store = new MemoryStore({ group, resource: "greetings" });
  const { get, update } = store.handlers;
  const subresources = { status: { handlers: { get, update } } };
  const { ask } = createStored({ handlers: store.handlers, subresources });
  await ask(path, { body: greeting() });
  const { body } = await ask(`${path}/x/status`);
  assert.equal(body.metadata.name, "x");
  const status = { message: "hi" };
  const changed = await ask(`${path}/x/status`, { method: "PUT", body: { ...body, status } });
  assert.deepEqual(changed.body.status, status);
  assert.equal((await ask(`${path}/x/scale`)).status, 404);
  assert.equal((await ask(`${path}/x/status`, { method: "DELETE" })).status, 405);
});

test("HEAD is answered as GET is", async () => {
  const { handler } = createStored();
  const response = await handler(requestOf(path, { method: "HEAD" }));
  assert.equal(response.status, 200);
  assert.ok((await collectBody(response.body, { limit: 1000 })).byteLength > 0);
});

test("a namespace is found under its own name", async () => {
  const store = new MemoryStore({ group: "", resource: "namespaces" });
  const names = {
    plural: "namespaces",
    singular: "namespace",
    kind: "Namespace",
    namespaced: false,
  };
  const resource = { ...names, schema: { type: "object" }, handlers: store.handlers };
  const { ask } = createTestServer({
    groups: [{ name: "", versions: [{ name: "v1", resources: [resource] }] }],
  });
  const body = { metadata: { name: "a" } };
  assert.equal((await ask("/api/v1/namespaces", { body })).status, 201);
  assert.equal((await ask("/api/v1/namespaces/a")).body.metadata.name, "a");
  assert.equal((await ask("/api/v1/namespaces/a", { method: "DELETE" })).status, 200);
});

test("objects in namespaces are listed over all of them, and nothing else is", async () => {
  const { ask } = createStored({ namespaced: true });
  assert.equal((await ask(path)).status, 200);
  assert.equal((await ask(path, { body: greeting() })).status, 405);
  assert.equal((await ask(`${path}/x`)).status, 404);
});

test("an answer whose JSON is ready is sent as it is, in the forms that it fits", async () => {
  const encodedJson = () => Buffer.from(`{"ready":true}`);
  const { ask } = createStored({}, { encodedJson });
  await ask(path, { body: greeting() });
  assert.equal((await ask(`${path}/x`)).text, `{"ready":true}\n`);
  assert.equal((await ask(path)).text, `{"ready":true}\n`);
  for (const [target, headers] of [
    [`${path}/x?pretty=true`, {}],
    [`${path}/x`, { accept: "application/yaml" }],
    [`${path}/x`, asKind("Table")],
    [path, asKind("PartialObjectMetadataList")],
  ] as const) {
    assert.match((await ask(target, { headers })).text, /greeting|Greeting|PartialObjectMetadata/);
  }
});

test("the items of a compiled-in list do not repeat its kind, those of a custom one do", async () => {
  for (const [dialect, kind] of [
    ["built-in", undefined],
    ["custom", "Greeting"],
  ] as const) {
    const { ask } = createStored({ dialect });
    await ask(path, { body: greeting() });
    assert.equal((await ask(path)).body.items[0].kind, kind);
  }
});

test("options of a deletion that can't be read are told as kube-apiserver tells them", async () => {
  const { ask } = createStored();
  await ask(path, { body: greeting() });
  const rows: Record<string, unknown> = {
    "couldn't get version/kind; json parse error: unexpected end of JSON input": "{",
    'no kind "Other" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"': {
      kind: "Other",
    },
    "json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64":
      { gracePeriodSeconds: "x" },
    "json: cannot unmarshal number into Go struct field Preconditions.preconditions.uid of type types.UID":
      { preconditions: { uid: 3 } },
  };
  for (const [message, body] of Object.entries(rows)) {
    const answer = await ask(`${path}/x`, { method: "DELETE", body });
    assert.deepEqual([answer.status, answer.body.message], [500, message]);
  }
  const unknown = await ask(`${path}/x`, { method: "DELETE", body: { nonsense: 1 } });
  assert.equal(unknown.status, 200);
});

test("who takes no media type of a compiled-in kind is told by its routes", async () => {
  const { ask } = createStored();
  const { status, body } = await ask(path, { headers: { accept: "text/html" } });
  assert.equal(status, 406);
  assert.match(
    body.message,
    /^406: Not Acceptable\n\nAvailable representations: application\/json/,
  );
});
