import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { asKind, createStored, greeting, path } from "../../test/stored.ts";

test("a Table has a row for each object", async () => {
  const { ask } = createStored();
  await ask(path, { body: greeting() });
  const headers = asKind("Table");
  const { body } = await ask(path, { headers });
  assert.equal(body.kind, "Table");
  assert.deepEqual(
    body.columnDefinitions.map(({ name }: { name: string }) => name),
    ["Name", "Created At"],
  );
  assert.deepEqual(body.rows[0].cells, ["x", null]);
  assert.equal(body.rows[0].object.kind, "PartialObjectMetadata");
  const whole = await ask(`${path}/x?includeObject=Object`, { headers });
  assert.equal(whole.body.rows[0].object.kind, "Greeting");
  const none = await ask(`${path}/x?includeObject=None`, { headers });
  assert.equal(none.body.rows[0].object, null);
});

test("a kind has columns of its own", async () => {
  const columns = [
    {
      name: "Whom",
      type: "string",
      value: ({ spec }: KubeObject) => (spec as { name: string }).name,
    },
  ] as const;
  const { ask } = createStored({ columns });
  await ask(path, { body: greeting() });
  const headers = asKind("Table");
  assert.deepEqual((await ask(path, { headers })).body.rows[0].cells, ["penguin"]);
});

test("metadata is served alone, of an object and of a list", async () => {
  const { ask } = createStored();
  await ask(path, { body: greeting() });
  const one = await ask(`${path}/x`, { headers: asKind("PartialObjectMetadata") });
  assert.deepEqual(Object.keys(one.body), ["kind", "apiVersion", "metadata"]);
  const headers = asKind("PartialObjectMetadataList");
  const all = await ask(path, { headers });
  assert.equal(all.body.kind, "PartialObjectMetadataList");
  assert.equal(all.body.items[0].kind, "PartialObjectMetadata");
  assert.equal((await ask(`${path}/x`, { headers })).status, 406);
});
