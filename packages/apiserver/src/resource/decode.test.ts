import assert from "node:assert/strict";
import { test } from "node:test";
import { DecodeError, type TypedDecoder } from "@rookery/apiserver";
import { createStored, greeting, path } from "../../test/stored.ts";

/** Takes a spec with a name, whatever the schema says. */
const decode: TypedDecoder = ({ spec, ...value }) => {
  const { name, ...rest } = spec as { name: string };
  if (typeof name !== "string") throw new DecodeError("json: cannot unmarshal number");
  const object = { ...value, spec: { name, decoded: true } };
  return { object, unknownFields: Object.keys(rest).map((key) => `spec.${key}`) };
};

const typed = () => createStored({ decode });

test("a kind with a decoder of its own is read by it, and not judged by its schema", async () => {
  const { ask, store } = typed();
  const { status } = await ask(path, { body: { ...greeting(), spec: { name: "" } } });
  assert.equal(status, 201);
  assert.deepEqual(store.objects.get("/x")?.spec, { name: "", decoded: true });
});

test("what its decoder can't read is a bad request in its words", async () => {
  const { ask } = typed();
  const { status, body } = await ask(path, { body: { ...greeting(), spec: { name: 1 } } });
  assert.equal(status, 400);
  assert.equal(
    body.message,
    'Greeting in version "v1" cannot be handled as a Greeting: json: cannot unmarshal number',
  );
});

test("fields that its decoder does not know are refused or warned of", async () => {
  const { ask } = typed();
  const body = { ...greeting(), spec: { name: "x", typo: 1 } };
  const refused = await ask(`${path}?fieldValidation=Strict`, { body });
  assert.match(refused.body.message, /strict decoding error: unknown field "spec.typo"$/);
  const warned = await ask(path, { body });
  assert.deepEqual(warned.headers.warning, ['299 - "unknown field \\"spec.typo\\""']);
});

test("what is unknown and what is there twice is told in the order of the text", async () => {
  const { ask } = typed();
  const spec = '"spec":{"bad":{"a":1,"a":2},"name":"x","name":"y","typo":1}';
  const body = `{"metadata":{"name":"x"},${spec}}`;
  const { body: status } = await ask(`${path}?fieldValidation=Strict`, { body });
  assert.match(
    status.message,
    /strict decoding error: unknown field "spec.bad", duplicate field "spec.name", unknown field "spec.typo"$/,
  );
});

test("patched objects are read by it too", async () => {
  const { ask } = typed();
  await ask(path, { body: greeting() });
  const headers = { "content-type": "application/merge-patch+json" };
  const patched = await ask(`${path}/x`, {
    method: "PATCH",
    headers,
    body: { spec: { name: "a" } },
  });
  assert.deepEqual(patched.body.spec, { name: "a", decoded: true });
});

test("custom kinds can't be sent as Protobuf", async () => {
  const { ask } = createStored({ dialect: "custom" }, { protobuf: () => greeting() });
  const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
  const { status, body } = await ask(path, { headers, body: new Uint8Array() });
  assert.equal(status, 415);
  assert.match(body.message, /accepted media types include: application\/json, application\/yaml$/);
});

test("a body of another kind at a custom one is invalid, by its name", async () => {
  const { ask } = createStored({ dialect: "custom" });
  const { status, body } = await ask(path, { body: { ...greeting(), kind: "Other" } });
  assert.equal(status, 422);
  assert.match(
    body.message,
    /^Other\.\S+ "x" is invalid: kind: Invalid value: "Other": must be Greeting$/,
  );
});

test("a body of another kind at the scale of a custom one is told as kube-apiserver does", async () => {
  const kind = { group: "autoscaling", version: "v1", kind: "Scale" };
  const update = async () => ({ object: greeting(), created: false });
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  const { ask } = createStored({
    dialect: "custom",
    subresources: { scale: { kind, schema, handlers: { get: () => greeting(), update } } },
  });
  const { status, body } = await ask(`${path}/x/scale`, { method: "PUT", body: greeting() });
  assert.equal(status, 400);
  assert.equal(
    body.message,
    'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:110"',
  );
});
