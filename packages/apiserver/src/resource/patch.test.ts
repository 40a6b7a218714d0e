import assert from "node:assert/strict";
import { test } from "node:test";
import { createStored, greeting, path } from "../../test/stored.ts";

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

const badPatches: Record<string, [contentType: string, patch: string, status: number]> = {
  "a patch of a type that is not served": ["application/apply-patch+yaml", "{}", 415],
  "no JSON": ["application/merge-patch+json", "{", 400],
  "a merge patch that is a list": ["application/merge-patch+json", "[]", 400],
  "a JSON patch that is no list": ["application/json-patch+json", "{}", 400],
  "a test that fails": [
    "application/json-patch+json",
    '[{"op":"test","path":"/spec/name","value":"z"}]',
    422,
  ],
  "a path that is not there": [
    "application/json-patch+json",
    '[{"op":"remove","path":"/a/b"}]',
    422,
  ],
  "an object that the schema refuses": [
    "application/merge-patch+json",
    '{"spec":{"name":""}}',
    422,
  ],
  "another name": ["application/merge-patch+json", '{"metadata":{"name":"z"}}', 400],
};
for (const [sentence, [contentType, body, status]] of Object.entries(badPatches)) {
  test(`a patch is refused with ${status}: ${sentence}`, async () => {
    const { ask, store } = createStored();
    await ask(path, { body: greeting() });
    const headers = { "content-type": contentType };
    const answer = await ask(`${path}/x`, { method: "PATCH", headers, body });
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.body.kind, "Status");
    assert.deepEqual(store.objects.get("/x")?.spec, { name: "penguin", times: 1 });
  });
}
