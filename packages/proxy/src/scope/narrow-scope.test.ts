import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  compose,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  writeBody,
} from "@rookery/http";
import { createTestSink, jsonOf, request } from "../handler-fixture.ts";
import type { KindScope } from "./kinds.ts";
import { narrowScope } from "./narrow-scope.ts";
import type { NarrowScope } from "./visibility.ts";

const scope: NarrowScope = { type: "namespaces", namespaces: ["a", "b"] };
const json = { "content-type": "application/json", "content-length": "1" };
const inNamespace = (namespace: string) => ({ metadata: { name: "x", namespace } });
const listOf = (...namespaces: string[]): HttpResponse => {
  const body = {
    kind: "PodList",
    metadata: { resourceVersion: "7" },
    items: namespaces.map(inNamespace),
  };
  return { status: 200, headers: json, body: Buffer.from(JSON.stringify(body)) };
};
const ok: HttpResponse = { status: 200, headers: {} };

interface World {
  readonly answer?: (asked: HttpRequest) => HttpResponse;
  readonly kind?: KindScope;
  readonly known?: readonly string[];
}

/** A server behind what narrows; `seen` is what it was asked. */
function setup({ answer = () => ok, kind = "namespaced", known = ["a", "b", "c"] }: World = {}) {
  const seen: HttpRequest[] = [];
  const counted = { passed: 0, dropped: 0 };
  const server: Handler = (asked) => {
    seen.push(asked);
    return answer(asked);
  };
  const interceptor = narrowScope({
    scope,
    ownNamespace: "own",
    knownNamespaces: () => known,
    kinds: { scopeOf: async () => kind },
    metrics: {
      narrowed(passed, dropped) {
        counted.passed += passed;
        counted.dropped += dropped;
      },
    },
  });
  const handler = compose(server, interceptor);
  const ask = async (parts: Partial<HttpRequest>) => handler(request(parts));
  return { ask, seen, counted };
}

async function textOf(response: HttpResponse): Promise<string> {
  const sink = createTestSink();
  await writeBody(response.body, sink);
  return sink.text;
}

describe("a request about one namespace", () => {
  const passing: Record<string, Partial<HttpRequest>> = {
    "in the scope": { path: "/api/v1/namespaces/a/pods" },
    "in the scope, for a pod's log": { path: "/api/v1/namespaces/b/pods/x/log" },
    "of the app's own": {
      method: "PUT",
      path: "/apis/coordination.k8s.io/v1/namespaces/own/leases/x",
    },
    "that is about a Namespace itself": { path: "/api/v1/namespaces/c" },
    "that tells of a cluster-scoped object": {
      method: "POST",
      path: "/api/v1/namespaces/default/events",
    },
    "that is about no object": { path: "/apis/apps/v1" },
    "that asks who may do what": {
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    },
    "that is about a definition": {
      method: "PATCH",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/x",
    },
    "that reads a definition's status": {
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/x/status",
    },
  };
  for (const [what, parts] of Object.entries(passing)) {
    it(`passes as it is: one ${what}`, async () => {
      const { ask, seen } = setup();
      assert.equal((await ask(parts)).status, 200);
      assert.equal(seen[0]?.path, parts.path);
      assert.equal(seen[0]?.query, "");
    });
  }

  const refused: Record<string, [method: string, path: string, message: RegExp]> = {
    "a read": [
      "GET",
      "/apis/cluster.x-k8s.io/v1beta2/namespaces/c/clusters/x",
      /^clusters\.cluster\.x-k8s\.io "x" is forbidden: this instance does not watch namespace "c" \(--namespace=a,b of its proxy\)/,
    ],
    "a write": ["POST", "/api/v1/namespaces/c/pods", /^pods is forbidden: .*"c"/],
    "a watch of old": ["GET", "/api/v1/watch/namespaces/c/pods", /"c"/],
    "a way into a pod": ["POST", "/api/v1/namespaces/c/pods/x/exec", /"c"/],
    "a name that is written with escapes": ["GET", "/api/v1/namespaces/%63/pods", /"c"/],
    "events of others": ["GET", "/api/v1/namespaces/default/events", /"default"/],
    "the versions in which objects are stored": [
      "PATCH",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/x/status",
      /would forget versions.*the operator migrates.*--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields/,
    ],
  };
  for (const [what, [method, path, message]] of Object.entries(refused)) {
    it(`outside of the scope is refused: ${what}`, async () => {
      const { ask, seen } = setup();
      const response = await ask({ method, path });
      const status = await jsonOf(response);
      assert.deepEqual([response.status, status.reason, seen], [403, "Forbidden", []]);
      assert.match(`${status.message}`, message);
    });
  }

  it("by a path that could be read differently is not there", async () => {
    const { ask, seen } = setup();
    const response = await ask({ path: "/api/v1/namespaces/a%2F..%2Fc/pods" });
    assert.deepEqual([response.status, seen], [404, []]);
  });
});

describe("a request about all namespaces", () => {
  it("is one request, which leaves out what is known to be foreign", async () => {
    const { ask, seen } = setup();
    await ask({ query: "limit=5&fieldSelector=spec.nodeName%3Dn" });
    assert.equal(seen.length, 1);
    const terms = "spec.nodeName%3Dn,metadata.namespace!=c";
    assert.equal(seen[0]?.query, `limit=5&fieldSelector=${terms}`);
  });

  it("gets no object of a namespace that was not known", async () => {
    const { ask, counted } = setup({ answer: () => listOf("a", "new", "own", "b") });
    const response = await ask({});
    assert.equal(response.headers["content-length"], undefined);
    const { items, metadata } = JSON.parse(await textOf(response));
    assert.deepEqual(items, ["a", "b"].map(inNamespace));
    assert.deepEqual(metadata, { resourceVersion: "7" });
    assert.deepEqual(counted, { passed: 2, dropped: 2 });
  });

  it("gets of the app's own namespace what an app keeps for itself", async () => {
    const { ask } = setup({ answer: () => listOf("a", "own", "new") });
    const { items } = JSON.parse(await textOf(await ask({ path: "/api/v1/secrets" })));
    assert.deepEqual(items, ["a", "own"].map(inNamespace));
  });

  for (const path of ["/api/v1/watch/pods", "/api/v1/pods?watch=1"]) {
    it(`is narrowed as a watch, too: ${path}`, async () => {
      const lines = ["new", "a"].map((namespace) => ({
        type: "ADDED",
        object: inNamespace(namespace),
      }));
      const body = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      const { ask } = setup({ answer: () => ({ status: 200, headers: json, body }) });
      const [asked, query = ""] = path.split("?");
      assert.deepEqual(
        await textOf(await ask({ path: asked ?? "", query })),
        `${JSON.stringify(lines[1])}\n`,
      );
    });
  }

  it("of a kind in no namespace passes as it is", async () => {
    const { ask, seen } = setup({ kind: "cluster", answer: () => listOf("new") });
    const headers = { accept: "application/yaml", "accept-encoding": "gzip" };
    const response = await ask({ path: "/api/v1/nodes", query: "limit=1", headers });
    assert.equal(await textOf(response), await textOf(listOf("new")));
    assert.deepEqual([seen[0]?.query, seen[0]?.headers], ["limit=1", headers]);
  });

  it("of a kind that nobody knows yet is asked for without a selector, and filtered", async () => {
    const { ask, seen } = setup({ kind: "unknown", answer: () => listOf("a", "new") });
    const { items } = JSON.parse(await textOf(await ask({})));
    assert.deepEqual([items, seen[0]?.query], [["a"].map(inNamespace), ""]);
  });

  for (const refusal of [400, 414, 431]) {
    it(`is sent without a selector to a server that does not take it: ${refusal}`, async () => {
      const { ask, seen } = setup({
        answer: ({ query }) =>
          query.includes("metadata.namespace")
            ? { status: refusal, headers: {} }
            : listOf("a", "new"),
      });
      const { items } = JSON.parse(await textOf(await ask({ query: "limit=5" })));
      assert.deepEqual(items, ["a"].map(inNamespace));
      assert.deepEqual(seen.map(({ query }) => query).at(-1), "limit=5");
    });
  }

  it("gets the server's own failures", async () => {
    const body = Buffer.from("{}");
    const { ask } = setup({ answer: () => ({ status: 410, headers: json, body }) });
    const response = await ask({ query: "watch=1&resourceVersion=1" });
    assert.deepEqual([response.status, response.body], [410, body]);
  });

  it("gets nothing that cannot be read", async () => {
    for (const headers of [
      { "content-type": "application/cbor" },
      { ...json, "content-encoding": "gzip" },
    ]) {
      const { ask } = setup({ answer: () => ({ ...listOf("new"), headers }) });
      const response = await ask({});
      assert.equal(response.status, 500);
      assert.match(`${(await jsonOf(response)).message}`, /could not narrow an answer/);
    }
  });

  it("may not delete: what is not known yet would go, too", async () => {
    const { ask, seen } = setup();
    const response = await ask({ method: "DELETE" });
    assert.deepEqual([response.status, seen], [403, []]);
    assert.match(`${(await jsonOf(response)).message}`, /one namespace at a time/);
    const { ask: askCluster } = setup({ kind: "cluster" });
    assert.equal((await askCluster({ method: "DELETE", path: "/api/v1/nodes" })).status, 200);
  });
});
