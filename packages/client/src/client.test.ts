import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { builtInResources } from "@rookery/kube";
import { FakeServer, json } from "../test/fake-server.ts";
import { createClient, createClientOver, withSignal } from "./client.ts";

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

  it("gives up what it asks within the time of somebody else", async () => {
    const stop = new AbortController();
    const aborted = new AbortController();
    const silent = createClientOver(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    );
    const bound = withSignal(silent, stop.signal);
    const own = withSignal(silent, aborted.signal);
    const key = { namespace: "ns", name: "a" };
    const asked = [
      bound.resource(builtInResources.pods).get(key),
      bound.raw({ path: "/healthz" }),
      bound.version(),
      own.raw({ path: "/healthz" }),
    ];
    stop.abort(new Error("stopped"));
    for (const one of asked.slice(0, 3)) await assert.rejects(one, /stopped/);
    aborted.abort(new Error("aborted"));
    for (const one of asked.slice(3)) await assert.rejects(one, /aborted/);
  });

  it("lives in the namespace of its configuration", async () => {
    const { client } = setUp();
    assert.equal(client.namespace, "default");
    await using own = createClient({ server: "https://127.0.0.1:1", namespace: "own", user: {} });
    assert.equal(own.namespace, "own");
    await assert.rejects(own.version(), /connection refused/);
  });
});
