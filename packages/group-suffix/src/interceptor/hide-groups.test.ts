import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HttpHeaders, HttpResponse } from "@rookery/http";
import { parse, stringify } from "yaml";
import { answer, ask, type Received } from "../../test/interceptor/server.ts";
import { envelope, wire } from "../../test/protobuf/object.ts";
import { createGroupMapping } from "../mapping/group-mapping.ts";
import { hideGroups } from "./hide-groups.ts";

const mapping = createGroupMapping([{ virtual: "example.dev", real: "team1.example.com" }]);
const own = "stable.team1.example.com";
const other = "stable.team2.example.com";
const kinds = [
  { version: "v1", resources: [{ resource: "crons", responseKind: { kind: "Cron" } }] },
];
const aggregated = (...groups: string[]) => ({
  kind: "APIGroupDiscoveryList",
  items: groups.map((name) => ({ metadata: { name }, versions: kinds })),
});
const legacy = (...groups: string[]) => ({
  kind: "APIGroupList",
  groups: groups.map((name) => ({ name })),
});
const pathsOf = (...groups: string[]) =>
  Object.fromEntries(groups.map((group) => [`/apis/${group}/v1/crons`, {}]));
const modelOf = (group: string) => `${group.split(".").reverse().join(".")}.v1.Cron`;
const openApi = (...groups: string[]) => ({
  swagger: "2.0",
  paths: { "/version": {}, ...pathsOf(...groups) },
  definitions: Object.fromEntries(
    ["io.k8s.api.core.v1.Pod", ...groups.map(modelOf)].map((name) => [name, {}]),
  ),
});
const named = (name: string) => wire((entry) => entry.string(1, name).message(2, () => {}));
const openApiProtobuf = (...groups: string[]) => {
  const { paths, definitions } = openApi(...groups);
  return wire((document) => {
    document.string(1, "2.0");
    document.message(8, (all) => {
      for (const path of Object.keys(paths)) all.bytes(2, named(path));
    });
    document.message(9, (all) => {
      for (const name of Object.keys(definitions)) all.bytes(1, named(name));
    });
  });
};

/** A server with both instances; what it says else is what the test asks for. */
const server =
  (response: () => HttpResponse, discovery = aggregated("apps", own, other)) =>
  ({ request }: Received) =>
    `${request.headers.accept}`.includes("APIGroupDiscoveryList")
      ? answer(discovery, { etag: '"1"' })
      : response();
const get = (path: string, response: () => HttpResponse, headers: HttpHeaders = {}) =>
  ask(hideGroups({ mapping }), { path, headers }, server(response));

describe("what tells of groups, without those of other instances", () => {
  const documents: Record<string, [path: string, (...groups: string[]) => object]> = {
    "the legacy list of groups": ["/apis", legacy],
    "the aggregated list of groups": ["/apis", aggregated],
    "the index of paths": ["/", (...groups) => ({ paths: groups.map((one) => `/apis/${one}/v1`) })],
    "OpenAPI version 2": ["/openapi/v2", openApi],
    "the index of OpenAPI version 3": [
      "/openapi/v3",
      (...groups) => ({ paths: Object.fromEntries(groups.map((one) => [`apis/${one}/v1`, {}])) }),
    ],
  };
  for (const [what, [path, document]] of Object.entries(documents)) {
    it(`is ${what}`, async () => {
      const { text, response } = await get(path, () =>
        answer(document("apps", own, other), { etag: '"2"' }),
      );
      assert.deepEqual(JSON.parse(text), document("apps", own));
      assert.equal(response.headers["content-length"], `${text.length}`);
      // The server's tag would be that of the whole document.
      assert.equal(response.headers.etag, undefined);
    });
  }

  it("is the list of groups in YAML", async () => {
    const { text } = await get("/apis", () =>
      answer(stringify(legacy("apps", own, other)), { "content-type": "application/yaml" }),
    );
    assert.deepEqual(parse(text), legacy("apps", own));
  });

  it("is the list of groups in Protobuf", async () => {
    const list = (...groups: string[]) =>
      envelope("v1", "APIGroupList", (all) => {
        for (const group of groups) all.message(1, (entry) => entry.string(1, group));
      });
    const { text } = await get("/apis", () =>
      answer(list("apps", own, other), { "content-type": "application/vnd.kubernetes.protobuf" }),
    );
    assert.equal(text, Buffer.from(list("apps", own)).toString());
  });

  it("is OpenAPI version 2 in Protobuf", async () => {
    const type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    const { text } = await get("/openapi/v2", () =>
      answer(openApiProtobuf("apps", own, other), { "content-type": type }),
    );
    assert.equal(text, Buffer.from(openApiProtobuf("apps", own)).toString());
  });

  it("is nothing that cannot be read", async () => {
    const { response } = await get("/apis", () =>
      answer("x", { "content-type": "application/cbor" }),
    );
    assert.equal(response.status, 500);
  });
});

describe("a request about another instance's group", () => {
  for (const path of [`/apis/${other}`, `/apis/${other}/v1`, `/openapi/v3/apis/${other}/v1`]) {
    it(`gets a 404 where it asks what there is: ${path}`, async () => {
      const { response } = await get(path, () => answer({}));
      assert.equal(response.status, 404);
    });
  }

  for (const path of [`/apis/${own}/v1`, `/apis/${other}/v1/crons`, "/api/v1"]) {
    it(`passes where it is about objects, or about other groups: ${path}`, async () => {
      const { response } = await get(path, () => answer({ a: "b" }, { etag: '"2"' }));
      assert.deepEqual([response.status, response.headers.etag], [200, '"2"']);
    });
  }
});

describe("which groups are hidden", () => {
  it("is asked for in the client's name, once for as long as nothing changes", async () => {
    const asked: HttpHeaders[] = [];
    const interceptor = hideGroups({ mapping });
    const handler = interceptor(async ({ headers }) => {
      asked.push(headers);
      if (headers["if-none-match"] === '"1"') return { status: 304, headers: {} };
      return answer(aggregated("apps", own, other), { etag: '"1"' });
    });
    const once = async () => {
      const headers = { authorization: "Bearer x", "if-none-match": '"old"' };
      const { text } = await ask(() => handler, { path: "/apis", headers });
      assert.deepEqual(JSON.parse(text), aggregated("apps", own));
    };
    await once();
    await once();
    assert.deepEqual(
      asked.map((headers) => headers["if-none-match"]),
      [undefined, undefined, '"1"', undefined],
    );
    assert.ok(asked.every(({ authorization }) => authorization === "Bearer x"));
  });

  for (const [what, discovery] of Object.entries({
    "may not ask for it": answer({ kind: "Status" }, {}, 403),
    "gets what is no JSON": answer("<html>"),
  })) {
    it(`is not known to a client that ${what}, which sees what it may see`, async () => {
      const { text } = await ask(hideGroups({ mapping }), { path: "/apis" }, ({ request }) =>
        `${request.headers.accept}`.includes("APIGroupDiscoveryList") ? discovery : answer("own"),
      );
      assert.equal(text, "own");
    });
  }
});
