import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Handler, HttpRequest, HttpResponse } from "@rookery/http";
import type { Resource } from "@rookery/kube";
import { failure, json } from "../../test/fake-server.ts";
import { createDiscovery } from "./discovery.ts";

const aggregatedType = (version: string) =>
  `application/json;as=APIGroupDiscoveryList;v=${version};g=apidiscovery.k8s.io;charset=utf-8`;

const pods = {
  resource: "pods",
  responseKind: { group: "", version: "v1", kind: "Pod" },
  scope: "Namespaced",
  singularResource: "pod",
  verbs: ["get", "list"],
  shortNames: ["po"],
  categories: ["all"],
  subresources: [
    { subresource: "status", responseKind: { kind: "Pod" } },
    { subresource: "eviction", responseKind: { group: "policy", kind: "Eviction" } },
  ],
};
const nodes = {
  resource: "nodes",
  responseKind: { kind: "Node" },
  scope: "Cluster",
  verbs: ["get"],
};
const headless = { resource: "headless", responseKind: null, scope: "Cluster", verbs: [] };

const core = {
  items: [{ metadata: {}, versions: [{ version: "v1", resources: [pods, nodes, headless] }] }],
};
const named = {
  items: [
    {
      metadata: { name: "batch" },
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: [{ ...nodes, resource: "jobs", responseKind: { kind: "Job" } }],
        },
        { version: "v1beta1", freshness: "Current", resources: [] },
      ],
    },
    { metadata: { name: "metrics.k8s.io" }, versions: [{ version: "v1", freshness: "Stale" }] },
  ],
};

const podResource: Resource = {
  group: "",
  version: "v1",
  kind: "Pod",
  plural: "pods",
  singular: "pod",
  namespaced: true,
  shortNames: ["po"],
  categories: ["all"],
  verbs: ["get", "list"],
  subresources: ["status", "eviction"],
};
const nodeResource: Resource = {
  group: "",
  version: "v1",
  kind: "Node",
  plural: "nodes",
  singular: "node",
  namespaced: false,
  shortNames: [],
  categories: [],
  verbs: ["get"],
  subresources: [],
};

/** Answers by path; counts what is asked. */
function serve(paths: Record<string, (request: HttpRequest) => HttpResponse>) {
  const asked: string[] = [];
  const handler: Handler = (request) => {
    asked.push(request.path);
    return paths[request.path]?.(request) ?? failure(404, "NotFound");
  };
  return { asked, handler };
}

describe("aggregated discovery", () => {
  for (const version of ["v2", "v2beta1"]) {
    it(`reads ${version}, and reports what is stale`, async () => {
      const headers = { "content-type": aggregatedType(version) };
      const accepts: unknown[] = [];
      const { asked, handler } = serve({
        "/api": (request) => {
          accepts.push(request.headers.accept);
          return json(core, { headers });
        },
        "/apis": () => json(named, { headers }),
      });
      const { groups, resources, failed } = await createDiscovery(handler).discover();
      assert.deepEqual(asked, ["/api", "/apis"]);
      assert.deepEqual(accepts, [
        "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
      ]);
      assert.deepEqual(groups, [
        { name: "", versions: ["v1"] },
        { name: "batch", versions: ["v1", "v1beta1"] },
        { name: "metrics.k8s.io", versions: [] },
      ]);
      const jobs = {
        ...nodeResource,
        group: "batch",
        kind: "Job",
        plural: "jobs",
        singular: "job",
      };
      assert.deepEqual(resources, [podResource, nodeResource, jobs]);
      assert.deepEqual([...failed.keys()], ["metrics.k8s.io/v1"]);
    });
  }

  it("does not fetch what has not changed", async () => {
    let changed = 1;
    const tags: unknown[] = [];
    const answer = (content: object) => (request: HttpRequest) => {
      const etag = `"${changed}"`;
      tags.push(request.headers["if-none-match"]);
      if (request.headers["if-none-match"] === etag) return { status: 304, headers: {} };
      return json(content, { headers: { "content-type": aggregatedType("v2"), etag } });
    };
    const { handler } = serve({ "/api": answer(core), "/apis": answer(named) });
    const discovery = createDiscovery(handler);
    const first = await discovery.discover();
    assert.deepEqual(await discovery.discover(), first);
    changed = 2;
    assert.deepEqual(await discovery.discover(), first);
    assert.deepEqual(tags, [undefined, undefined, '"1"', '"1"', '"1"', '"1"']);
    await discovery.discover();
    assert.deepEqual(tags.slice(6), ['"2"', '"2"']);
  });

  it("does without /api, which an aggregated API server may lack", async () => {
    const headers = { "content-type": aggregatedType("v2") };
    const { handler } = serve({ "/apis": () => json(named, { headers }) });
    const { groups } = await createDiscovery(handler).discover();
    assert.deepEqual(
      groups.map(({ name }) => name),
      ["batch", "metrics.k8s.io"],
    );
  });

  it("fails where the server does", async () => {
    const { handler } = serve({ "/apis": () => failure(403, "Forbidden") });
    await assert.rejects(createDiscovery(handler).discover(), /it is Forbidden/);
  });
});

describe("legacy discovery", () => {
  const groupList = {
    kind: "APIGroupList",
    groups: [
      {
        name: "batch",
        versions: [{ version: "v1beta1" }, { version: "v1" }],
        preferredVersion: { version: "v1" },
      },
      { name: "down", versions: [{ version: "v1" }], preferredVersion: { version: "v1" } },
    ],
  };
  const list = (resources: object[]) => () => json({ kind: "APIResourceList", resources });
  const paths = {
    "/api": () => json({ kind: "APIVersions", versions: ["v1"] }),
    "/apis": () => json(groupList),
    "/api/v1": list([
      {
        name: "pods",
        singularName: "pod",
        namespaced: true,
        kind: "Pod",
        verbs: ["get", "list"],
        shortNames: ["po"],
        categories: ["all"],
      },
      { name: "pods/status", namespaced: true, kind: "Pod", verbs: ["get"] },
      { name: "pods/eviction", namespaced: true, kind: "Eviction", group: "policy", verbs: [] },
      { name: "nodes", singularName: "", namespaced: false, kind: "Node", verbs: ["get"] },
    ]),
    "/apis/batch/v1": list([{ name: "jobs", namespaced: true, kind: "Job", verbs: [] }]),
    "/apis/batch/v1beta1": list([]),
    "/apis/down/v1": () => failure(503, "ServiceUnavailable"),
  };

  for (const legacy of [false, true]) {
    it(`asks group by group where ${legacy ? "told so" : "the server has no other"}`, async () => {
      const accepts = new Set<unknown>();
      const { handler } = serve(paths);
      const watched: Handler = (request) => {
        if (request.path === "/apis") accepts.add(request.headers.accept);
        return handler(request);
      };
      const { groups, resources, failed } = await createDiscovery(watched, { legacy }).discover();
      assert.equal([...accepts].join() === "application/json", legacy);
      assert.deepEqual(groups, [
        { name: "", versions: ["v1"] },
        { name: "batch", versions: ["v1", "v1beta1"] },
        { name: "down", versions: ["v1"] },
      ]);
      assert.deepEqual(resources.slice(0, 2), [podResource, nodeResource]);
      assert.deepEqual(
        resources.map(({ plural }) => plural),
        ["pods", "nodes", "jobs"],
      );
      assert.deepEqual([...failed.keys()], ["down/v1"]);
      assert.match(`${failed.get("down/v1")}`, /it is ServiceUnavailable/);
    });
  }

  it("is given up as a whole", async () => {
    const controller = new AbortController();
    const { handler } = serve(paths);
    const discovery = createDiscovery((request) => {
      if (request.path === "/apis/batch/v1") controller.abort(new Error("given up"));
      request.signal.throwIfAborted();
      return handler(request);
    });
    await assert.rejects(discovery.discover({ signal: controller.signal }), /given up/);
  });
});
