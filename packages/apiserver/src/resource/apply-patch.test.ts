import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MemoryStore } from "../../test/memory-store.ts";
import { plainFieldManager } from "../../test/plain-field-manager.ts";
import { createStored, greeting, group, path } from "../../test/stored.ts";

const headers = { "content-type": "application/apply-patch+yaml" };
const wanted = `apiVersion: ${group}/v1\nkind: Greeting\nmetadata: {name: x}\nspec: {name: auk}\n`;

function createApplied(options: Parameters<typeof createStored>[1] = {}) {
  const { ask, ...rest } = createStored({ fieldManager: plainFieldManager }, options);
  const apply = (body: string, query = "fieldManager=me", name = "x") =>
    ask(`${path}/${name}?${query}`, { method: "PATCH", headers, body });
  return { ...rest, ask, apply };
}

describe("server-side apply", () => {
  test("creates what is not there, with defaults, and changes what is", async () => {
    const { apply } = createApplied();
    const created = await apply(wanted);
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(created.body.spec, { name: "auk", times: 1 });
    const changed = await apply(wanted.replace("auk", "tern"));
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.body.spec, { name: "tern", times: 1 });
  });

  test("says with whom it is in conflict, and can be forced", async () => {
    const { apply } = createApplied();
    await apply(wanted);
    const refused = await apply(wanted, "fieldManager=you");
    assert.deepEqual([refused.status, refused.body.message], [409, "conflict with me"]);
    assert.equal((await apply(wanted, "fieldManager=you&force=true")).status, 200);
  });

  for (const [form, body] of Object.entries({
    YAML: wanted.replace("{name: auk}", "{name: auk, times: 9007199254740993}"),
    JSON: `{"metadata":{"name":"x"},"spec":{"name":"auk","times":9007199254740993}}`,
  })) {
    test(`refuses a number that would lose digits, in ${form}`, async () => {
      const { status, body: answer } = await createApplied().apply(body);
      assert.equal(status, 400);
      assert.match(answer.message, /^error decoding YAML: number 9007199254740993 cannot be kept/);
    });
  }

  test("creates nothing by a subresource", async () => {
    const store = new MemoryStore({ group, resource: "greetings" });
    const { get, update } = store.handlers;
    const { ask } = createStored({
      fieldManager: plainFieldManager,
      subresources: { status: { handlers: { get, update } } },
    });
    const question = { method: "PATCH", headers, body: wanted };
    assert.equal((await ask(`${path}/x/status?fieldManager=me`, question)).status, 404);
  });

  test("that tries creates nothing", async () => {
    const { apply, store } = createApplied();
    assert.equal((await apply(wanted, "fieldManager=me&dryRun=All")).status, 201);
    assert.equal(store.objects.size, 0);
  });

  test("creates only for who may create", async () => {
    const { apply } = createApplied({
      authorize: ({ verb }) => ({ decision: verb === "patch" ? "Allow" : "NoOpinion" }),
    });
    const answer = await apply(wanted);
    assert.equal(answer.status, 403);
    assert.match(answer.body.message, /User "jane" cannot create resource "greetings"/);
  });

  const refusals: Record<string, [body: string, query: string, status: number, message: RegExp]> = {
    "no manager": [wanted, "", 422, /fieldManager: Required value: is required for apply patch$/],
    "another name": [
      wanted.replace("name: x", "name: z"),
      "fieldManager=me",
      400,
      /^the name of the object \(z\) does not match the name on the URL \(x\)$/,
    ],
    "no name": [
      wanted.replace("name: x", ""),
      "fieldManager=me",
      400,
      /^the name of the object \(x based on URL\) was undeterminable: name must be provided$/,
    ],
    "a uid of nothing": [
      wanted.replace("name: x", "name: x, uid: u"),
      "fieldManager=me",
      409,
      /: uid mismatch: the provided object specified uid u, and no existing object was found$/,
    ],
    "a list": [
      "[]",
      "fieldManager=me",
      400,
      /^error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map\[string\]interface \{\}$/,
    ],
    "a field twice, strictly": [
      `${wanted}kind: Greeting\n`,
      "fieldManager=me&fieldValidation=Strict",
      400,
      /^error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n {2}line 5: key "kind" already set in map$/,
    ],
  };
  for (const [sentence, [body, query, status, message]] of Object.entries(refusals)) {
    test(`is refused: ${sentence}`, async () => {
      const { apply, store } = createApplied();
      const answer = await apply(body, query);
      assert.deepEqual([answer.status, store.objects.size], [status, 0], answer.text);
      assert.match(answer.body.message, message);
    });
  }

  test("warns of a field that is there twice", async () => {
    const { apply } = createApplied();
    const answer = await apply(`${wanted}kind: Greeting\n`);
    assert.equal(answer.status, 201);
    assert.match(String(answer.headers.warning), /"line 5: key \\"kind\\" already set in map"/);
  });

  test("ignores a version of what is not there", async () => {
    const { apply } = createApplied();
    const answer = await apply(wanted.replace("name: x", "name: x, resourceVersion: '7'"));
    assert.equal(answer.status, 201, answer.text);
  });
});

describe("a PUT", () => {
  const put = { method: "PUT", body: greeting({ metadata: { name: "x", resourceVersion: "7" } }) };

  test("creates where the kind allows it, whatever version it says", async () => {
    const { ask } = createStored({ allowsCreateOnUpdate: true });
    const answer = await ask(`${path}/x`, put);
    assert.equal(answer.status, 201, answer.text);
  });

  test("creates nothing where the kind does not allow it", async () => {
    const { ask } = createStored();
    assert.equal((await ask(`${path}/x`, put)).status, 404);
  });

  test("creates only for who may create", async () => {
    const { ask } = createStored(
      { allowsCreateOnUpdate: true },
      { authorize: ({ verb }) => ({ decision: verb === "update" ? "Allow" : "NoOpinion" }) },
    );
    assert.equal((await ask(`${path}/x`, put)).status, 403);
  });

  test("creates nothing for a uid", async () => {
    const { ask } = createStored({ allowsCreateOnUpdate: true });
    const body = greeting({ metadata: { name: "x", uid: "u" } });
    assert.equal((await ask(`${path}/x`, { method: "PUT", body })).status, 409);
  });
});
