import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeServer, json } from "../test/fake-server.ts";
import { createClient, createClientOver } from "./client.ts";

const jobs = {
  resource: "jobs",
  responseKind: { kind: "Job" },
  scope: "Namespaced",
  singularResource: "job",
  verbs: [],
};
const discovery = {
  items: [{ metadata: { name: "batch" }, versions: [{ version: "v1", resources: [jobs] }] }],
};

function setUp() {
  const server = new FakeServer((request) => {
    if (!request.path.startsWith("/api") || request.path.length > 5) return json({ ok: true });
    const type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const content = request.path === "/apis" ? discovery : {};
    return json(content, { headers: { "content-type": type } });
  });
  return { server, client: createClientOver(server.handler) };
}

describe("a client", () => {
  it("reaches a kind by what the server serves", async () => {
    const { server, client } = setUp();
    const key = { namespace: "ns", name: "a" };
    for (const kind of [
      { apiVersion: "batch/v1", kind: "Job" },
      { group: "batch", kind: "Job" },
    ]) {
      await (await client.kind(kind)).get(key);
      assert.equal(server.last.target, "/apis/batch/v1/namespaces/ns/jobs/a");
    }
    await assert.rejects(
      client.kind({ apiVersion: "batch/v2", kind: "Job" }),
      /serves it in batch\/v1/,
    );
  });

  it("sends any request, and says what the server is", async () => {
    const { server, client } = setUp();
    const answer = await client.raw({ path: "/healthz", query: "verbose=1" });
    assert.equal(answer.status, 200);
    assert.deepEqual(await client.version(), { ok: true });
    assert.deepEqual(server.targets, ["GET /healthz?verbose=1", "GET /version"]);
  });

  it("lives in the namespace of its configuration", async () => {
    const { client } = setUp();
    assert.equal(client.namespace, "default");
    await using own = createClient({ server: "https://127.0.0.1:1", namespace: "own", user: {} });
    assert.equal(own.namespace, "own");
    await assert.rejects(own.version(), /connection refused/);
  });
});
