import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HttpRequest } from "@rookery/http";
import { request } from "../../test/handler.ts";
import { requestVerb } from "./request-verb.ts";

describe("the verb of a request", () => {
  const rows: Record<string, [verb: string, parts: Partial<HttpRequest>]> = {
    "an object": ["GET", { path: "/api/v1/namespaces/a/pods/b" }],
    "a subresource": ["GET", { path: "/api/v1/namespaces/a/pods/b/log" }],
    "pods everywhere": ["LIST", { path: "/api/v1/pods" }],
    "pods of a namespace": ["LIST", { path: "/api/v1/namespaces/a/pods" }],
    "all namespaces": ["LIST", { path: "/api/v1/namespaces" }],
    "one namespace": ["GET", { path: "/api/v1/namespaces/a" }],
    "custom resources": ["LIST", { path: "/apis/example.com/v1/namespaces/a/widgets" }],
    discovery: ["GET", { path: "/apis/example.com/v1" }],
    "the root": ["GET", { path: "/" }],
    "a watch": ["WATCH", { path: "/api/v1/pods", query: "limit=1&watch=true" }],
    "a log that is followed": [
      "WATCH",
      { path: "/api/v1/namespaces/a/pods/b/log", query: "follow=true" },
    ],
    "a watch in few words": ["WATCH", { path: "/api/v1/pods", query: "watch" }],
    "a watch by its path": ["WATCH", { path: "/apis/example.com/v1/watch/widgets" }],
    "an object of this name": ["GET", { path: "/api/v1/namespaces/watch/pods/watch" }],
    "a watch that is none": ["LIST", { path: "/api/v1/pods", query: "watch=0&limit=1" }],
    "no watch": ["LIST", { path: "/api/v1/pods", query: "watch=false" }],
    exec: ["CONNECT", { path: "/x", headers: { upgrade: "SPDY/3.1" } }],
    "a write": ["PATCH", { method: "PATCH" }],
    "a method that nobody knows": ["OTHER", { method: "BREW" }],
  };
  for (const [name, [verb, parts]] of Object.entries(rows)) {
    it(`${name}: ${verb}`, () => assert.equal(requestVerb(request(parts)), verb));
  }
});
