import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { InvalidNameError, ParseError } from "../errors.ts";
import * as gv from "./group-version.ts";
import { escapePathSegment, groupVersionResourceOf, resourcePath } from "./resource.ts";

describe("apiVersion", () => {
  const rows: Record<string, [text: string, group: string, version: string]> = {
    "the core group": ["v1", "", "v1"],
    "a group": ["apps/v1", "apps", "v1"],
    nothing: ["", "", ""],
  };
  for (const [name, [text, group, version]] of Object.entries(rows)) {
    it(`reads and writes ${name}`, () => {
      assert.deepEqual(gv.parseApiVersion(text), { group, version });
      assert.equal(gv.formatApiVersion({ group, version }), text);
    });
  }

  it("reads a lone slash as nothing, as Kubernetes does", () => {
    assert.deepEqual(gv.parseApiVersion("/"), { group: "", version: "" });
  });

  it("refuses two slashes in Kubernetes' words", () => {
    assert.throws(
      () => gv.parseApiVersion("a/b/c"),
      (error) =>
        error instanceof ParseError && error.reason === "unexpected GroupVersion string: a/b/c",
    );
  });

  it("of an object gives its kind", () => {
    const kind = gv.groupVersionKindOf({ apiVersion: "apps/v1", kind: "Deployment" });
    assert.deepEqual(kind, { group: "apps", version: "v1", kind: "Deployment" });
    assert.equal(gv.formatGroupVersionKind(kind), "apps/v1, Kind=Deployment");
  });
});

describe("group kinds and resources", () => {
  it("print the group last, and not at all for core", () => {
    assert.equal(gv.formatGroupKind({ group: "apps", kind: "Deployment" }), "Deployment.apps");
    assert.equal(gv.formatGroupResource({ group: "", resource: "pods" }), "pods");
    assert.equal(
      gv.formatGroupVersionResource({ group: "", version: "v1", resource: "pods" }),
      "/v1, Resource=pods",
    );
  });

  it("are cut at the first dot", () => {
    assert.deepEqual(gv.parseGroupResource("clusters.cluster.x-k8s.io"), {
      group: "cluster.x-k8s.io",
      resource: "clusters",
    });
    assert.deepEqual(gv.parseGroupKind("Pod"), { group: "", kind: "Pod" });
  });
});

describe("resourcePath", () => {
  const pods = { group: "", version: "v1", resource: "pods" };
  const roles = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles" };
  const rows: Record<string, [path: () => string, expected: string]> = {
    "a collection in all namespaces": [() => resourcePath(pods), "/api/v1/pods"],
    "a collection in a namespace": [
      () => resourcePath(pods, { namespace: "ns" }),
      "/api/v1/namespaces/ns/pods",
    ],
    "an object": [
      () => resourcePath(pods, { namespace: "ns", name: "x" }),
      "/api/v1/namespaces/ns/pods/x",
    ],
    "a subresource": [
      () => resourcePath(pods, { namespace: "ns", name: "x", subresource: "status" }),
      "/api/v1/namespaces/ns/pods/x/status",
    ],
    "a subresource with a path": [
      () => resourcePath(pods, { namespace: "ns", name: "x", subresource: "proxy/a b" }),
      "/api/v1/namespaces/ns/pods/x/proxy/a%20b",
    ],
    "a cluster-scoped object, its colon unescaped": [
      () => resourcePath(roles, { name: "system:node" }),
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node",
    ],
    "a namespace itself": [
      () => resourcePath({ ...pods, resource: "namespaces" }, { name: "ns" }),
      "/api/v1/namespaces/ns",
    ],
  };
  for (const [name, [path, expected]] of Object.entries(rows)) {
    it(name, () => assert.equal(path(), expected));
  }

  const refused: Record<string, () => string> = {
    "a name that climbs": () => resourcePath(pods, { namespace: "ns", name: ".." }),
    "a namespace with a slash": () => resourcePath(pods, { namespace: "a/b" }),
    "a name that is encoded already": () => resourcePath(pods, { name: "a%2fb" }),
    "an empty name": () => resourcePath(pods, { name: "" }),
    "an empty namespace": () => resourcePath(pods, { namespace: "" }),
    "a subresource of no object": () => resourcePath(pods, { subresource: "status" }),
    "a subresource that climbs": () => resourcePath(pods, { name: "x", subresource: "a/../b" }),
  };
  for (const [name, path] of Object.entries(refused)) {
    it(`refuses ${name}`, () => assert.throws(path, InvalidNameError));
  }

  it("of a resource uses its plural name", () => {
    assert.deepEqual(groupVersionResourceOf({ group: "", version: "v1", plural: "pods" }), pods);
  });
});

describe("escapePathSegment", () => {
  it("is undone by decodeURIComponent, and leaves no separator", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (segment) => {
        const escaped = escapePathSegment(segment);
        assert.equal(decodeURIComponent(escaped), segment);
        assert.match(escaped, /^[A-Za-z0-9$&+=:@_.~%-]*$/);
      }),
    );
  });

  it("writes a lone surrogate as the replacement character", () => {
    assert.equal(escapePathSegment("\ud800"), "%EF%BF%BD");
  });
});
