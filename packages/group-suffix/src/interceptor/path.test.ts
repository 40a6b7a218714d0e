import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exampleMapping as mapping } from "../../test/rules/kinds.ts";
import { renameQuery } from "./rename-request.ts";
import { splitPath, targetOf } from "./request-target.ts";

const line = (path: string) => ({ method: "GET", path, query: "" });

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const apiServices = "/apis/apiregistration.k8s.io/v1/apiservices";

describe("a request path", () => {
  const renamed: Record<string, [path: string, expected: string]> = {
    "of a mapped group": ["/apis/a.example.com", "/apis/a.team1.org"],
    "of a mapped version": ["/apis/a.example.com/v1", "/apis/a.team1.org/v1"],
    "of an object": [
      "/apis/a.example.com/v1/namespaces/n/crontabs/x/status",
      "/apis/a.team1.org/v1/namespaces/n/crontabs/x/status",
    ],
    "with a group that is escaped": ["/apis/a%2Eexample.com/v1", "/apis/a.team1.org/v1"],
    "with slashes that are escaped": ["/apis%2Fa.example.com%2fv1", "/apis/a.team1.org/v1"],
    "of OpenAPI": ["/openapi/v3/apis/a.example.com/v1", "/openapi/v3/apis/a.team1.org/v1"],
    "of a CustomResourceDefinition": [
      `${crds}/x.a.example.com/status`,
      `${crds}/x.a.team1.org/status`,
    ],
    "of an APIService": [`${apiServices}/v1.a.example.com`, `${apiServices}/v1.a.team1.org`],
    "that watches a definition": [
      "/apis/apiextensions.k8s.io/v1/watch/customresourcedefinitions/x.a.example.com",
      "/apis/apiextensions.k8s.io/v1/watch/customresourcedefinitions/x.a.team1.org",
    ],
    "that is tunnelled": [
      "/apis/a.example.com/v1/namespaces/n/crontabs/x/proxy//b%2Fa/a.example.com/",
      "/apis/a.team1.org/v1/namespaces/n/crontabs/x/proxy//b/a/a.example.com/",
    ],
  };
  for (const [name, [path, expected]] of Object.entries(renamed)) {
    it(`${name} is renamed`, () => assert.equal(targetOf(line(path), mapping).path, expected));
  }

  const untouched = [
    "/",
    "/api",
    "/api/v1/namespaces/a.example.com",
    "/apis",
    "/apis/apps/v1/namespaces/a.team1.org/deployments/a.example.com",
    "/apis/team1.org/v1",
    `${crds}/a.example.com`,
    "/openapi/v2",
    "/openapi/v3",
    "/healthz/a.example.com",
  ];
  for (const path of untouched) {
    it(`${path} stays as it is`, () => assert.equal(targetOf(line(path), mapping).path, path));
  }

  const notThere = [
    "/apis/a.team1.org",
    "/apis/a.team1.org/v1/crontabs",
    "/apis/a%2Eteam1.org/v1/crontabs",
    "/apis%2Fa.team1.org/v1/crontabs",
    "/openapi/v3/apis/a.team1.org/v1",
    `${crds}/x.a.team1.org`,
    `${apiServices}/v1.a.team1.org`,
  ];
  for (const path of notThere) {
    it(`${path} is not there`, () =>
      assert.throws(() => targetOf(line(path), mapping), { httpStatus: 404 }));
  }

  const unclear = [
    "//apis/a.team1.org/v1/crontabs",
    "/apis//a.example.com/v1",
    "/apis/a.example.com/v1/namespaces//crontabs",
    "/apis/a.example.com%2F..%2Fa.team1.org/v1",
    "/api/../apis/a.team1.org/v1",
    "/api/%2e%2E/apis/a.team1.org/v1",
    "/healthz/../apis/a.team1.org/v1",
    "/apis/%zz/v1",
  ];
  for (const path of unclear) {
    it(`${path} is refused`, () =>
      assert.throws(() => targetOf(line(path), mapping), {
        httpStatus: 400,
        message: /^could not read the path "/,
      }));
  }

  it("that is not there gets the words of an API server", () => {
    assert.throws(() => targetOf(line(`${crds}/x.a.team1.org`), mapping), {
      message: 'customresourcedefinitions.apiextensions.k8s.io "x.a.team1.org" not found',
    });
    assert.throws(() => targetOf(line("/apis/a.team1.org/v1/crontabs/x"), mapping), {
      message: "the server could not find the requested resource",
    });
  });

  const targets: Record<string, [path: string, resource?: string, subresource?: string]> = {
    "names a resource": ["/apis/apps/v1/namespaces/n/deployments", "deployments"],
    "names an object in all namespaces": ["/apis/apps/v1/nodes/x", "nodes"],
    "names a subresource": [
      "/apis/apps/v1/namespaces/n/deployments/x/scale",
      "deployments",
      "scale",
    ],
    "names a namespace": ["/api/v1/namespaces/n", "namespaces"],
    "names the status of a namespace": ["/api/v1/namespaces/n/status", "namespaces", "status"],
    "names a version only": ["/apis/apps/v1"],
  };
  for (const [name, [path, resource, subresource]] of Object.entries(targets)) {
    it(name, () => {
      const target = targetOf(line(path), mapping).target;
      assert.equal(target?.resource, resource);
      assert.equal(target?.subresource, subresource);
    });
  }
});

it("a request is a watch where an API server takes it for one", () => {
  const rows: Record<string, boolean> = {
    "GET /api/v1/pods?watch": true,
    "GET /api/v1/watch/pods": true,
    "POST /apis/a.example.com/v1/watch/crontabs": true,
    "GET /api/v1/pods?watch=0&watch=1": false,
    "GET /api/v1/pods?watch=1;&limit=5": false,
    "GET /api/v1/namespaces/n/pods/x?watch=1": false,
    "POST /api/v1/namespaces/n/pods?watch=1": false,
  };
  for (const [text, isWatch] of Object.entries(rows)) {
    const [method = "", path = "", query = ""] = text.split(/[ ?]/);
    assert.equal(splitPath({ method, path, query }).isWatch, isWatch, text);
  }
});

describe("a query", () => {
  const definitions = {
    group: "apiextensions.k8s.io",
    version: "v1",
    resource: "customresourcedefinitions",
  };
  const events = { group: "", version: "v1", resource: "events" };
  const rows: Record<string, [target: typeof events | undefined, query: string, expected: string]> =
    {
      "selects a definition by name": [
        definitions,
        "limit=5&fieldSelector=metadata.name%3Dx.a.example.com&watch=true",
        "limit=5&fieldSelector=metadata.name%3Dx.a.team1.org&watch=true",
      ],
      "selects by several fields": [
        definitions,
        "fieldSelector=metadata.name!=x.a.example.com,metadata.namespace==x.a.example.com",
        "fieldSelector=metadata.name%21%3Dx.a.team1.org%2Cmetadata.namespace%3D%3Dx.a.example.com",
      ],
      "selects events of a kind": [
        events,
        "fieldSelector=involvedObject.kind%3DCronTab%2CinvolvedObject.apiVersion%3Da.example.com%2Fv1",
        "fieldSelector=involvedObject.kind%3DCronTab%2CinvolvedObject.apiVersion%3Da.team1.org%2Fv1",
      ],
      "has nothing to rename": [
        definitions,
        "fieldSelector=metadata.name=x.a.b&continue=a.example.com",
        "fieldSelector=metadata.name=x.a.b&continue=a.example.com",
      ],
      "is about other objects": [
        { group: "a.example.com", version: "v1", resource: "crontabs" },
        "fieldSelector=metadata.name=x.a.example.com&labelSelector=a=a.example.com",
        "fieldSelector=metadata.name=x.a.example.com&labelSelector=a=a.example.com",
      ],
    };
  for (const [name, [target, query, expected]] of Object.entries(rows)) {
    it(name, () => assert.equal(renameQuery(query, target, mapping), expected));
  }
});
