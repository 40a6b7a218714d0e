import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HttpHeaders, Interceptor } from "@rookery/http";
import { FakeServer, request } from "../../test/fake-server.ts";
import { addBasePath, impersonate, setUserAgent } from "./request-headers.ts";

async function headersAfter(interceptor: Interceptor, headers: HttpHeaders = {}) {
  const server = new FakeServer();
  await interceptor(server.handler)(request({ headers }));
  return server.last.headers;
}

describe("the user agent", () => {
  it("is added, unless there is one", async () => {
    assert.deepEqual(await headersAfter(setUserAgent("a/1")), { "user-agent": "a/1" });
    const own = { "user-agent": "own" };
    assert.deepEqual(await headersAfter(setUserAgent("a/1"), own), own);
  });
});

describe("impersonation", () => {
  it("names the user, the uid, each group by itself, and extras with escaped keys", async () => {
    const extra = { "example.org/Über%": ["x", "y"] };
    const headers = await headersAfter(
      impersonate({ user: "jane", uid: "7", groups: ["a", "b"], extra }),
    );
    assert.deepEqual(headers, {
      "impersonate-user": "jane",
      "impersonate-uid": "7",
      "impersonate-group": ["a", "b"],
      "impersonate-extra-example.org%2f%c3%bcber%25": ["x", "y"],
    });
  });

  it("leaves a request alone that acts as somebody already", async () => {
    const own = { "impersonate-user": "joe" };
    assert.deepEqual(await headersAfter(impersonate({ user: "jane", groups: ["a"] }), own), own);
  });
});

describe("a base path", () => {
  it("comes before the path", async () => {
    const server = new FakeServer();
    await addBasePath("/k8s/c-1")(server.handler)(request({ query: "a=b" }));
    assert.equal(server.last.target, "/k8s/c-1/api/v1/pods?a=b");
  });
});
