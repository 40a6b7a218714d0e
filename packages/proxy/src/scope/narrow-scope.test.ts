import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  compose,
  type Handler,
  type HttpRequest,
  type HttpResponse,
  writeBody,
} from "@rookery/http";
import { createTestSink, jsonOf, request } from "../../test/handler.ts";
import type { KindScope } from "./kinds.ts";
import { narrowScope } from "./narrow-scope.ts";
import type { NarrowScope } from "./visibility.ts";

const scope: NarrowScope = { type: "namespaces", namespaces: ["a", "b"] };
const json = { "content-type": "application/json", "content-length": "1" };
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
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
    continueKey: Buffer.alloc(32, 7),
    kinds: { scopeOf: async () => kind, settledScopeOf: async () => kind },
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
    "that is about a Namespace of the scope": { path: "/api/v1/namespaces/a" },
    "that changes a Namespace of the scope": { method: "PATCH", path: "/api/v1/namespaces/own" },
    "that is about no object": { path: "/apis/apps/v1" },
  };
  for (const [what, parts] of Object.entries(passing)) {
    it(`passes as it is: one ${what}`, async () => {
      const { ask, seen } = setup();
      assert.equal((await ask(parts)).status, 200);
      assert.equal(seen[0]?.path, parts.path);
      assert.equal(seen[0]?.query, "");
    });
  }

  const clusterScoped: Record<string, Partial<HttpRequest>> = {
    "a definition": { method: "PATCH", path: `${definitions}/x` },
    "a definition's status, to read it": { path: `${definitions}/x/status` },
    "a node": { path: "/api/v1/nodes/x" },
    "a volume": { method: "DELETE", path: "/api/v1/persistentvolumes/x" },
  };
  for (const [what, parts] of Object.entries(clusterScoped)) {
    it(`passes as it is: one about ${what}`, async () => {
      const { ask, seen } = setup({ kind: "cluster" });
      assert.equal((await ask(parts)).status, 200);
      assert.equal(seen[0]?.path, parts.path);
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
    "a slash that is written with escapes": ["GET", "/api/v1/namespaces%2Fc%2Fpods", /"c"/],
    "events of others": ["GET", "/api/v1/namespaces/default/events", /"default"/],
    "a Namespace of others": ["GET", "/api/v1/namespaces/c", /^namespaces "c" is forbidden/],
    "a watch of a Namespace of others": ["GET", "/api/v1/watch/namespaces/c", /"c"/],
    "the end of a Namespace of others": ["DELETE", "/api/v1/namespaces/c", /"c"/],
    "the finalizers of a Namespace of others": ["PUT", "/api/v1/namespaces/c/finalize", /"c"/],
    "the status of a Namespace of others": ["PATCH", "/api/v1/namespaces/c/status", /"c"/],
    "all Namespaces, to delete them": ["DELETE", "/api/v1/namespaces", /one namespace at a time/],
    "a node's kubelet": ["GET", "/api/v1/nodes/n/proxy/runningpods/", /reaches pods of namespaces/],
    "a node's kubelet, by its port": ["POST", "/api/v1/nodes/n:10250/proxy/exec/c/p/c", /reaches/],
    "a definition, to delete it": ["DELETE", `${definitions}/x`, /would be deleted, too/],
    "all definitions, to delete them": ["DELETE", definitions, /would be deleted, too/],
    "logs of the API server": [
      "GET",
      "/logs/kube-apiserver.log",
      /^forbidden: could not get path "\/logs/,
    ],
    metrics: ["GET", "/metrics", /about the whole cluster/],
    "profiles of the API server": ["GET", "/debug/pprof/heap", /about the whole cluster/],
    "the versions in which objects are stored": [
      "PATCH",
      `${definitions}/x/status`,
      /would forget versions.*the operator migrates.*--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields/,
    ],
  };
  for (const [what, [method, path, message]] of Object.entries(refused)) {
    it(`outside of the scope is refused: ${what}`, async () => {
      const { ask, seen } = setup({ kind: "cluster" });
      const response = await ask({ method, path });
      const status = await jsonOf(response);
      assert.deepEqual([response.status, status.reason, seen], [403, "Forbidden", []]);
      assert.match(`${status.message}`, message);
    });
  }

  const unclear: Record<string, string> = {
    "an empty segment": "/api/v1/namespaces//secrets",
    "an empty segment before a watch": "/api/v1/watch//namespaces/a/pods",
    "an escaped empty segment": "/api/v1/namespaces/%2Fsecrets",
    "a way up": "/api/v1/namespaces/a/../c/pods",
    "an escaped way up": "/api/v1/namespaces/a%2F..%2Fc/pods",
    "a way up behind a proxy": "/api/v1/namespaces/a/services/x/proxy/%2e%2E/%2e%2e/y",
    "a zero byte": "/api/v1/namespaces/a%00/pods",
    "bytes that are no UTF-8": "/api/v1/namespaces/a/pods/%ff",
    "an escape that is none": "/api/v1/namespaces/a/pods/%zz",
    "slashes at the beginning": "//api/v1/namespaces/a/pods",
  };
  for (const [what, path] of Object.entries(unclear)) {
    it(`by a path that could be read differently is refused: ${what}`, async () => {
      const { ask, seen } = setup();
      const response = await ask({ path });
      assert.deepEqual([response.status, seen], [400, []]);
      assert.match(
        `${(await jsonOf(response)).message}`,
        /^could not read the path "\/.*: it has|is/,
      );
    });
  }

  it("goes on in the form in which it was understood", async () => {
    const { ask, seen } = setup();
    await ask({ path: "/api/v1/namespaces/%61%2fpods///" });
    assert.equal(seen[0]?.path, "/api/v1/namespaces/a/pods");
  });

  const methods: Record<string, [method: string, path: string, status: number]> = {
    "OPTIONS of pods": ["OPTIONS", "/api/v1/namespaces/a/pods", 405],
    "OPTIONS of what is behind a proxy": ["OPTIONS", "/api/v1/namespaces/a/pods/x/proxy/y", 200],
    TRACE: ["TRACE", "/api/v1/pods", 405],
    "a method in lower case": ["get", "/api/v1/pods", 405],
    "a watch of old by POST": ["POST", "/apis/example.com/v1/watch/widgets", 405],
    "a watch of old by DELETE": ["DELETE", "/api/v1/watch/namespaces/a/pods", 405],
    "a proxy of old": ["GET", "/api/v1/proxy/namespaces/a/pods/x", 404],
  };
  for (const [what, [method, path, status]] of Object.entries(methods)) {
    it(`gets a ${status} for ${what}`, async () => {
      const { ask, seen } = setup();
      assert.equal((await ask({ method, path })).status, status);
      assert.equal(seen.length, status === 200 ? 1 : 0);
    });
  }
});

describe("a request to switch the protocol", () => {
  const headers = { connection: "Upgrade", upgrade: "websocket" };
  for (const path of [
    "/api/v1/namespaces/a/pods/x/exec",
    "/api/v1/namespaces/a/services/x/proxy/a/b",
    "/apis/subresources.kubevirt.io/v1/namespaces/a/virtualmachineinstances/x/vnc",
  ]) {
    it(`passes into an object of the scope: ${path}`, async () => {
      const { ask, seen } = setup();
      assert.equal((await ask({ path, headers })).status, 200);
      assert.deepEqual(seen[0]?.headers, headers);
    });
  }
  for (const [path, query] of [
    ["/api/v1/secrets", "watch=1"],
    ["/api/v1/secrets", ""],
    ["/api/v1/namespaces", "watch=1"],
    ["/api/v1/namespaces/a/secrets", "watch=1"],
    ["/api/v1/namespaces/a/secrets/x", ""],
    ["/api/v1/watch/secrets", ""],
    ["/api/v1/watch/namespaces/a/secrets/x/status", ""],
    ["/api/v1/nodes", ""],
  ] as const) {
    it(`is refused for what is no tunnel: ${path}?${query}`, async () => {
      const { ask, seen } = setup({ kind: "cluster" });
      const response = await ask({ path, query, headers });
      assert.deepEqual([response.status, seen], [403, []]);
      assert.match(`${(await jsonOf(response)).message}`, /without the header Upgrade/);
    });
  }
});

describe("a request about all namespaces", () => {
  it("is one request, which leaves out what is known to be foreign", async () => {
    const { ask, seen } = setup();
    await ask({ query: "limit=5&fieldSelector=spec.nodeName%3Dn" });
    assert.equal(seen.length, 1);
    const asked = new URLSearchParams(seen[0]?.query);
    const terms = "metadata.namespace!=c,spec.nodeName=n";
    assert.deepEqual(Object.fromEntries(asked), { limit: "5", fieldSelector: terms });
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
          query.includes("fieldSelector") ? { status: refusal, headers: {} } : listOf("a", "new"),
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
    assert.deepEqual([response.status, await textOf(response)], [410, "{}"]);
  });

  it("gets sealed tokens, which go on with that list alone", async () => {
    const own = "the server's own";
    const page = { metadata: { continue: own, remainingItemCount: 3 }, items: [] };
    const body = Buffer.from(JSON.stringify(page));
    const { ask, seen } = setup({ answer: () => ({ status: 200, headers: json, body }) });
    const { metadata } = JSON.parse(await textOf(await ask({ query: "limit=1" })));
    assert.deepEqual(Object.keys(metadata), ["continue"]);
    const sealed = metadata.continue;
    assert.doesNotMatch(sealed, /server/);
    await ask({ query: `limit=1&continue=${sealed}&continue=x` });
    assert.equal(new URLSearchParams(seen.at(-1)?.query).getAll("continue").join(), own);
    for (const [path, token] of [
      ["/api/v1/secrets", sealed],
      ["/api/v1/pods", encodeURIComponent(own)],
    ]) {
      const response = await ask({ path: path ?? "", query: `continue=${token}` });
      const { reason, message } = await jsonOf(response);
      assert.deepEqual([response.status, reason, seen.length], [410, "Expired", 2]);
      assert.match(`${message}`, /start a new list without the continue parameter/);
    }
  });

  it("gets a sealed token where a page has expired", async () => {
    const status = { kind: "Status", metadata: { continue: "own" }, code: 410 };
    const body = Buffer.from(JSON.stringify(status));
    const { ask } = setup({ answer: () => ({ status: 410, headers: json, body }) });
    const { metadata, code } = JSON.parse(await textOf(await ask({})));
    assert.equal(code, 410);
    assert.notEqual(metadata.continue, "own");
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

  it("of Namespace objects is one for those of the scope", async () => {
    for (const path of ["/api/v1/namespaces", "/api/v1/watch/namespaces"]) {
      const { ask, seen } = setup({ kind: "cluster" });
      await ask({ path, query: "labelSelector=x%20in%20(a&limit=1;&labelSelector=y" });
      const only = "kubernetes.io/metadata.name in (a,b,own),x in (a";
      assert.deepEqual([...new URLSearchParams(seen[0]?.query)], [["labelSelector", only]]);
    }
  });

  it("of a kind that definitions may have is filtered, as its scope may have changed", async () => {
    const { ask } = setup({ kind: "cluster", answer: () => listOf("a", "new", "") });
    const { items } = JSON.parse(await textOf(await ask({ path: "/apis/example.com/v1/things" })));
    assert.deepEqual(items, ["a", ""].map(inNamespace));
  });

  it("by the name of a namespaced object is not there, nor is a write", async () => {
    for (const [method, path] of [
      ["GET", "/apis/example.com/v1/widgets/x"],
      ["GET", "/apis/example.com/v1/watch/widgets/x"],
      ["POST", "/apis/example.com/v1/widgets"],
      ["PUT", "/api/v1/pods/x"],
    ] as const) {
      const { ask, seen } = setup();
      assert.deepEqual([(await ask({ method, path })).status, seen], [404, []]);
    }
  });

  it("says nothing by HEAD of how long it would be", async () => {
    const { ask } = setup({ answer: () => ({ status: 200, headers: json }) });
    assert.equal((await ask({ method: "HEAD" })).headers["content-length"], undefined);
  });
});
