import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRequestInfo, type RequestInfo } from "./request-info.ts";

type Expected = Partial<RequestInfo>;

const rows: Record<string, [method: string, target: string, expected: Expected]> = {
  "a list of a group": [
    "GET",
    "/apis/apps/v1/deployments",
    { verb: "list", group: "apps", version: "v1", resource: "deployments", parts: ["deployments"] },
  ],
  "a list of the core group": [
    "GET",
    "/api/v1/pods",
    { verb: "list", apiPrefix: "api", group: "", version: "v1", resource: "pods" },
  ],
  "an object in a namespace": [
    "GET",
    "/api/v1/namespaces/other/pods/foo",
    { verb: "get", namespace: "other", resource: "pods", name: "foo", parts: ["pods", "foo"] },
  ],
  "HEAD is get": ["HEAD", "/api/v1/namespaces/other/pods/foo", { verb: "get", name: "foo" }],
  "a subresource": [
    "PUT",
    "/api/v1/namespaces/other/pods/foo/status",
    { verb: "update", resource: "pods", name: "foo", subresource: "status" },
  ],
  "what comes after a subresource": [
    "GET",
    "/api/v1/namespaces/other/pods/foo/proxy/a/b",
    { verb: "get", subresource: "proxy", parts: ["pods", "foo", "proxy", "a", "b"] },
  ],
  "a create": ["POST", "/api/v1/namespaces/other/pods", { verb: "create", name: "" }],
  "a patch": ["PATCH", "/api/v1/namespaces/other/pods/foo", { verb: "patch" }],
  "a deletion": ["DELETE", "/api/v1/namespaces/other/pods/foo", { verb: "delete" }],
  "a deletion of all": ["DELETE", "/api/v1/namespaces/other/pods", { verb: "deletecollection" }],
  "a method that has no verb": ["OPTIONS", "/api/v1/pods", { verb: "", isResourceRequest: true }],
  "a watch by query": ["GET", "/api/v1/pods?watch=true", { verb: "watch" }],
  "a watch without a value": ["GET", "/api/v1/pods?watch", { verb: "watch" }],
  "no watch by query": ["GET", "/api/v1/pods?watch=False", { verb: "list" }],
  "a watch by an old path": [
    "GET",
    "/api/v1/watch/namespaces/other/pods/foo",
    { verb: "watch", namespace: "other", resource: "pods", name: "foo", subresource: "" },
  ],
  "a namespace": [
    "GET",
    "/api/v1/namespaces/other",
    { verb: "get", namespace: "other", resource: "namespaces", name: "other" },
  ],
  "all namespaces": ["GET", "/api/v1/namespaces", { verb: "list", resource: "namespaces" }],
  "the status of a namespace": [
    "PUT",
    "/api/v1/namespaces/other/status",
    { namespace: "other", resource: "namespaces", name: "other", subresource: "status" },
  ],
  "a list of one name": [
    "GET",
    "/api/v1/pods?fieldSelector=metadata.name%3Dfoo",
    { verb: "list", name: "foo", fieldSelector: "metadata.name=foo" },
  ],
  "a name that is no path": [
    "GET",
    "/api/v1/pods?fieldSelector=metadata.name%3Da%2Fb",
    { verb: "list", name: "" },
  ],
  "a list of one name with a limit that is none": [
    "GET",
    "/api/v1/pods?fieldSelector=metadata.name%3Dfoo&limit=x",
    { verb: "list", name: "" },
  ],
  selectors: [
    "DELETE",
    "/api/v1/pods?labelSelector=a%3Db",
    { verb: "deletecollection", labelSelector: "a=b", fieldSelector: "" },
  ],
  "no selectors of what has one name": [
    "GET",
    "/api/v1/pods/x?labelSelector=a",
    { labelSelector: "" },
  ],
  "an escaped name": ["GET", "/api/v1/pods/a%3Ab", { name: "a:b", path: "/api/v1/pods/a:b" }],
  "an escaped slash": ["GET", "/api/v1/pods/a%2Fb", { name: "a", subresource: "b" }],
  "a group": ["GET", "/apis/apps", { verb: "get", isResourceRequest: false, apiPrefix: "" }],
  "a version": ["GET", "/apis/apps/v1", { isResourceRequest: false, apiPrefix: "apis", group: "" }],
  "a version of the core group": ["GET", "/api/v1", { isResourceRequest: false, apiPrefix: "" }],
  "another path": [
    "POST",
    "/healthz",
    { verb: "post", isResourceRequest: false, path: "/healthz" },
  ],
  "the root": ["GET", "/", { verb: "get", isResourceRequest: false, path: "/" }],
  "a slash at the end": [
    "GET",
    "/apis/apps/v1/deployments/",
    { resource: "deployments", name: "" },
  ],
};

for (const [sentence, [method, target, expected]] of Object.entries(rows)) {
  test(`what a request asks for: ${sentence}`, () => {
    const [path = "", query = ""] = target.split("?");
    const info = parseRequestInfo({ method, path, query });
    const found = Object.fromEntries(
      Object.keys(expected).map((key) => [key, info[key as keyof RequestInfo]]),
    );
    assert.deepEqual(found, expected);
  });
}

test("a path that can't be decoded is refused", () => {
  const path = "/api/v1/pods/%zz";
  assert.throws(() => parseRequestInfo({ method: "GET", path, query: "" }), {
    code: "MalformedPath",
  });
});

test("bytes in a path that are no UTF-8 are a name that nothing has", () => {
  const path = "/api/v1/nodes/a%ff%e2%82";
  const { name } = parseRequestInfo({ method: "GET", path, query: "" });
  assert.equal(name, "a\uFFFD\uFFFD\uFFFD");
});

test("a path of very many slashes is read at once", () => {
  // A million of them took minutes when a regular expression looked for those at the end.
  const path = `/api/v1${"/".repeat(1_000_000)}x/`;
  const { resource, parts } = parseRequestInfo({ method: "GET", path, query: "" });
  assert.equal(resource, "");
  assert.equal(parts.length, 1_000_000);
});

test("an old path without a resource is refused", () => {
  const request = { method: "GET", path: "/api/v1/watch", query: "" };
  assert.throws(() => parseRequestInfo(request), /unable to determine kind and namespace from url/);
});
