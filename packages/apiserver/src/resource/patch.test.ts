import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { PatchField, PatchSchema } from "@rookery/kube";
import { plainFieldManager } from "../../test/plain-field-manager.ts";
import { createStored, greeting, path } from "../../test/stored.ts";
import { conversionProblem } from "./strategic-patch.ts";

const patches: Record<string, [contentType: string, patch: unknown]> = {
  "a merge patch": ["application/merge-patch+json", { spec: { name: "auk", times: null } }],
  "a JSON patch": [
    "application/json-patch+json",
    [{ op: "replace", path: "/spec/name", value: "auk" }],
  ],
};
for (const [sentence, [contentType, body]] of Object.entries(patches)) {
  test(`${sentence} changes an object, which is defaulted and validated`, async () => {
    const { ask } = createStored();
    await ask(path, { body: greeting() });
    const headers = { "content-type": contentType };
    const answer = await ask(`${path}/x`, { method: "PATCH", headers, body });
    assert.deepEqual(answer.body.spec, { name: "auk", times: 1 });
  });
}

const json = "application/json-patch+json";
const merge = "application/merge-patch+json";
const strategic = "application/strategic-merge-patch+json";
const rejected = "the server rejected our request due to an error in our request";
const asMap = "Go value of type map[string]interface {}";

type Refused = readonly [contentType: string, patch: string, status: number, message: string];

/** What a real kube-apiserver answers to the same. */
const badPatches: Record<string, Refused> = {
  "a patch of a type that is not served": [
    "application/apply-patch+yaml",
    "{}",
    415,
    "415: Unsupported Media Type",
  ],
  "no JSON": [merge, "{", 400, "error decoding patch: unexpected end of JSON input"],
  "nothing at all": [merge, "", 400, "error decoding patch: unexpected end of JSON input"],
  "a merge patch that is a list": [
    merge,
    "[]",
    400,
    `error decoding patch: json: cannot unmarshal array into ${asMap}`,
  ],
  "a merge patch that is null": [merge, "null", 400, "Invalid JSON Patch"],
  "a JSON patch that is no list": [
    json,
    "{}",
    400,
    "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
  ],
  "an operation that is a number": [
    json,
    "[1]",
    400,
    "error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp",
  ],
  "an operation whose name is a number": [
    json,
    '[{"op":1}]',
    400,
    "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string",
  ],
  "more operations than are allowed": [
    json,
    JSON.stringify(Array.from({ length: 10_001 }, () => ({ op: "test", path: "/kind" }))),
    413,
    "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001",
  ],
  "copies of copies": [
    json,
    JSON.stringify([
      { op: "add", path: "/spec/name", value: "x".repeat(1_000_000) },
      ...Array.from({ length: 4 }, (_, index) => ({
        op: "copy",
        from: "/spec/name",
        path: `/spec/${index}`,
      })),
    ]),
    422,
    rejected,
  ],
  "a test that fails": [json, '[{"op":"test","path":"/spec/name","value":"z"}]', 422, rejected],
  "a path that is not there": [json, '[{"op":"remove","path":"/a/b"}]', 422, rejected],
  "an operation that nobody knows": [json, '[{"op":"sing","path":"/a"}]', 422, rejected],
  "another name": [
    merge,
    '{"metadata":{"name":"z"}}',
    400,
    "the name of the object (z) does not match the name on the URL (x)",
  ],
  "no name": [
    merge,
    '{"metadata":null}',
    400,
    "the name of the object (x based on URL) was undeterminable: name must be provided",
  ],
};
for (const [sentence, [contentType, body, status, message]] of Object.entries(badPatches)) {
  test(`a patch is refused with ${status}: ${sentence}`, async () => {
    const { ask, store } = createStored();
    await ask(path, { body: greeting() });
    const headers = { "content-type": contentType };
    const answer = await ask(`${path}/x`, { method: "PATCH", headers, body });
    assert.deepEqual([answer.status, answer.body.message], [status, message]);
    assert.deepEqual(store.objects.get("/x")?.spec, { name: "penguin", times: 1 });
  });
}

/** A patch that makes something else of an object than one of its kind. */
const badResults: Record<string, readonly [patch: string, shown: RegExp, why: string]> = {
  "a list": [
    '[{"op":"replace","path":"","value":[]}]',
    /^\[\]$/,
    String.raw`couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`,
  ],
  "another kind": [
    '[{"op":"replace","path":"/kind","value":"Foo"}]',
    /^{"apiVersion":.*"kind":"Foo","metadata":/,
    'no kind "Foo" is registered for version "greetings.testing.rookery.dev/v1" in scheme "pkg/runtime/scheme.go:110"',
  ],
  "labels that are numbers": [
    '[{"op":"add","path":"/metadata/labels","value":{"a<b":1}}]',
    /^{"apiVersion":.*"labels":{"a\\u003cb":1}/,
    "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
  ],
};
for (const [sentence, [body, shown, why]] of Object.entries(badResults)) {
  test(`what a patch made is refused, and shown: ${sentence}`, async () => {
    const { ask } = createStored();
    await ask(path, { body: greeting() });
    const answer = await ask(`${path}/x`, {
      method: "PATCH",
      headers: { "content-type": json },
      body,
    });
    assert.equal(answer.status, 422, answer.text);
    const [cause] = answer.body.details.causes;
    assert.equal(cause.field, "patch");
    assert.equal(answer.body.message, ` "" is invalid: patch: ${cause.message}`);
    const [, value = "", problem] =
      /^Invalid value: ("(?:[^"\\]|\\.)*"): (.*)$/.exec(cause.message) ?? [];
    assert.match(JSON.parse(value), shown);
    assert.equal(problem, why);
  });
}

for (const contentType of [json, merge, strategic, "application/apply-patch+yaml"]) {
  test(`a bomb of depth is refused as ${contentType}`, async () => {
    const patchSchema: PatchSchema = { field: () => undefined };
    const { ask, errors } = createStored({ patchSchema, fieldManager: plainFieldManager });
    await ask(path, { body: greeting() });
    const value = `${'{"a":'.repeat(9000)}1${"}".repeat(9000)}`;
    const body = contentType === json ? `[{"op":"add","path":"/spec/x","value":${value}}]` : value;
    const headers = { "content-type": contentType };
    const answer = await ask(`${path}/x?fieldManager=me`, { method: "PATCH", headers, body });
    assert.deepEqual([answer.status, errors], [400, []], answer.text.slice(0, 300));
  });
}

test("a patch of nothing is told so before it is read", async () => {
  const { ask } = createStored();
  const headers = { "content-type": merge };
  assert.equal((await ask(`${path}/x`, { method: "PATCH", headers, body: "{" })).status, 404);
});

const strict: Record<string, readonly [contentType: string, patch: string, problem: string]> = {
  "an unknown field": [merge, '{"spec":{"a":1}}', 'unknown field "spec.a"'],
  "a field twice": [merge, '{"spec":{"times":1,"times":2}}', 'duplicate field "spec.times"'],
  "an unknown member of an operation": [
    json,
    '[{"op":"test","path":"/kind","value":"Greeting","foo":1}]',
    'json patch unknown field "[0].foo"',
  ],
};
for (const [sentence, [contentType, body, problem]] of Object.entries(strict)) {
  test(`a patch is warned of, and refused strictly: ${sentence}`, async () => {
    const { ask } = createStored();
    await ask(path, { body: greeting() });
    const question = { method: "PATCH", headers: { "content-type": contentType }, body };
    const warned = await ask(`${path}/x`, question);
    assert.equal(warned.status, 200, warned.text);
    assert.ok(String(warned.headers.warning).includes(JSON.stringify(problem).slice(1, -1)));
    const refused = await ask(`${path}/x?fieldValidation=Strict`, question);
    assert.equal(refused.status, 422);
    assert.ok(refused.body.message.endsWith(`: strict decoding error: ${problem}`));
    const ignored = await ask(`${path}/x?fieldValidation=Ignore`, question);
    assert.deepEqual([ignored.status, ignored.headers.warning], [200, undefined]);
  });
}

test("a custom kind tells which patches it takes", async () => {
  const { ask } = createStored({ dialect: "custom", fieldManager: plainFieldManager });
  const headers = { "content-type": strategic };
  const answer = await ask(`${path}/x`, { method: "PATCH", headers, body: "{}" });
  assert.equal(
    answer.body.message,
    "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
  );
});

describe("a strategic merge patch", () => {
  const leaf: PatchSchema = { field: () => undefined };
  const items: PatchField = { strategy: "merge", mergeKey: "name", schema: leaf };
  const fields: Record<string, PatchField> = {
    metadata: { schema: leaf },
    spec: { schema: { field: () => items } },
  };
  const patchSchema: PatchSchema = { field: (name) => fields[name] };
  const question = (body: string) => ({
    method: "PATCH",
    headers: { "content-type": strategic },
    body,
  });

  test("changes an object", async () => {
    const { ask } = createStored({ patchSchema });
    await ask(path, { body: greeting() });
    const answer = await ask(`${path}/x`, question('{"spec":{"times":3},"kind":"Other"}'));
    assert.deepEqual([answer.body.kind, answer.body.spec.times], ["Greeting", 3]);
  });

  const bad: Record<string, readonly [patch: string, status: number, message: RegExp]> = {
    "no JSON": ["{", 400, /^unexpected end of JSON input$/],
    "a list": [
      "[]",
      400,
      /^json: cannot unmarshal array into Go value of type map\[string\]interface \{\}$/,
    ],
    "a directive that nobody knows": [
      '{"spec":{"$patch":"sing"}}',
      500,
      /^unknown patch type: sing in map: map\[\$patch:sing\]$/,
    ],
    "a value of another type": [
      '{"metadata":{"labels":"x"}}',
      422,
      /^ "" is invalid: patch: Invalid value: "map\[metadata:map\[labels:x\]\]": cannot restore map from string$/,
    ],
  };
  for (const [sentence, [body, status, message]] of Object.entries(bad)) {
    test(`is refused: ${sentence}`, async () => {
      const { ask } = createStored({ patchSchema });
      await ask(path, { body: greeting() });
      const answer = await ask(`${path}/x`, question(body));
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.body.message, message);
    });
  }
});

const conversions: Record<string, string> = {
  "json: cannot unmarshal string into Go struct field S.spec.a of type int32":
    "unrecognized type: int32",
  "json: cannot unmarshal number 1.5 into Go struct field S.spec.a of type int32":
    "cannot convert float64 to int32",
  "json: cannot unmarshal number into Go struct field S.spec.a of type string":
    "cannot convert int64 to string",
  "json: cannot unmarshal bool into Go struct field S.spec.a of type string":
    "unrecognized type: string",
  "json: cannot unmarshal string into Go struct field S.spec.a of type []v1.Container":
    "cannot restore slice from string",
  "json: cannot unmarshal string into Go struct field S.spec.a of type v1.LabelSelector":
    "cannot restore struct from: string",
  "quantities must match": "quantities must match",
};
for (const [why, problem] of Object.entries(conversions)) {
  test(`a converter says: ${problem}`, () => assert.equal(conversionProblem(why), problem));
}
