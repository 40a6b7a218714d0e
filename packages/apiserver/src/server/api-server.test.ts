import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestServer } from "../../test/asking.ts";
import { greetingGroup } from "../../test/greetings.ts";

const base = "/apis/greetings.testing.rookery.dev/v1";
const greeting = {
  apiVersion: "greetings.testing.rookery.dev/v1",
  kind: "Greeting",
  metadata: {},
  spec: { name: "penguin" },
};

test("a kind without a store answers a create", async () => {
  const { ask } = createTestServer();
  const { status, body } = await ask(`${base}/greetings`, { body: greeting });
  assert.equal(status, 201);
  assert.deepEqual(body, {
    ...greeting,
    spec: { name: "penguin", times: 1 },
    status: { message: "hello penguin", user: "jane" },
  });
});

test("a kind without a store answers a list", async () => {
  const { ask } = createTestServer();
  const { status, body } = await ask(`${base}/greetings`);
  assert.equal(status, 200);
  assert.deepEqual(body.items, []);
  assert.equal(body.kind, "GreetingList");
});

test("the name of a group is one string: everything follows", async () => {
  const { ask } = createTestServer({ groups: [greetingGroup("greetings.team1.example.com")] });
  const { body } = await ask("/apis");
  assert.deepEqual(
    body.groups.map(({ name }: { name: string }) => name),
    ["greetings.team1.example.com"],
  );
  const moved = { ...greeting, apiVersion: "greetings.team1.example.com/v1" };
  const path = "/apis/greetings.team1.example.com/v1/greetings";
  assert.equal((await ask(path, { body: moved })).status, 201);
  assert.equal((await ask(path, { body: greeting })).status, 400);
  assert.equal((await ask(`${base}/greetings`)).status, 404);
  const index = await ask("/openapi/v3");
  assert.deepEqual(Object.keys(index.body.paths), ["apis/greetings.team1.example.com/v1"]);
});

test("other groups are served from the next request on", async () => {
  const server = createTestServer();
  server.setGroups([greetingGroup("other.example.com")]);
  assert.equal((await server.ask(`${base}/greetings`)).status, 404);
  assert.equal((await server.ask("/apis/other.example.com/v1/greetings")).status, 200);
});

test("groups that can't be served are refused with every problem", () => {
  const groups = [greetingGroup("a"), greetingGroup("a"), { name: "Not_a_group", versions: [] }];
  assert.throws(
    () => createTestServer({ groups }),
    (error: Error & { problems: string[] }) => {
      assert.deepEqual(
        error.problems.map((problem) => problem.slice(0, 30)),
        [
          'group "a" is declared twice',
          'group "Not_a_group": a lowerca',
          'group "Not_a_group" has no ver',
        ],
      );
      return true;
    },
  );
});

test("others answer for a part, and discovery tells of it", async () => {
  const { ask } = createTestServer({
    delegation: {
      handlerOf: ({ group }) =>
        group === "far.example.com"
          ? () => ({ status: 200, headers: {}, body: Buffer.from("far") })
          : undefined,
      groups: () => [
        {
          name: "far.example.com",
          versions: [{ name: "v1", resources: [], freshness: "Stale" }],
        },
      ],
      openApiPaths: () => ({ "apis/far.example.com/v1": { serverRelativeURL: "/far" } }),
    },
  });
  assert.equal((await ask("/apis/far.example.com/v1/things")).text, "far");
  assert.equal((await ask(`${base}/greetings`)).status, 200);
  const names = (await ask("/apis")).body.groups.map(({ name }: { name: string }) => name);
  assert.deepEqual(names, ["greetings.testing.rookery.dev", "far.example.com"]);
  assert.equal((await ask("/apis/far.example.com")).body.preferredVersion.version, "v1");
  const { paths } = (await ask("/openapi/v3")).body;
  assert.deepEqual(paths["apis/far.example.com/v1"], { serverRelativeURL: "/far" });
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const { items } = (await ask("/apis", { headers: { accept } })).body;
  assert.deepEqual(items[1], {
    metadata: { name: "far.example.com" },
    versions: [{ version: "v1", resources: [], freshness: "Stale" }],
  });
});
