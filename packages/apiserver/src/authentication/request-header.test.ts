import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutRequestHeaders } from "./request-header.ts";

const config = {
  usernameHeaders: ["X-Acme-User"],
  uidHeaders: [],
  groupHeaders: ["X-Acme-Group"],
  extraHeaderPrefixes: ["X-Acme-Extra-"],
};

test("headers that name users are removed, a cluster's own and the usual ones", () => {
  const headers = {
    "x-acme-user": "a",
    "x-acme-group": ["b", "c"],
    "x-acme-extra-scopes": "d",
    "x-remote-user": "e",
    "x-remote-extra-": "f",
    "x-acme-other": "kept",
  };
  assert.deepEqual(withoutRequestHeaders(headers, config), { "x-acme-other": "kept" });
  const { "x-remote-user": _, "x-remote-extra-": __, ...rest } = headers;
  assert.deepEqual(withoutRequestHeaders(headers), rest);
});

test("where there are none the headers are the same object", () => {
  const headers = { accept: "*/*" };
  assert.equal(withoutRequestHeaders(headers, config), headers);
});
