import assert from "node:assert/strict";
import { test } from "node:test";
import { headerValue, receivedHeaders, upgradeProtocol, withoutHopByHop } from "./headers.ts";

const plain = (headers: object) => ({ ...headers });

test("received headers have lower case names", () => {
  assert.deepEqual(plain(receivedHeaders(["Accept", "a"])), { accept: "a" });
});

test("a header that came several times keeps its values apart", () => {
  const headers = receivedHeaders(["impersonate-group", "a,b", "Impersonate-Group", "c"]);
  assert.deepEqual(headers["impersonate-group"], ["a,b", "c"]);
  assert.equal(headerValue(headers, "impersonate-group"), "a,b");
});

test("a cookie that HTTP/2 has split is one again", () => {
  assert.equal(receivedHeaders(["cookie", "a=1", "cookie", "b=2"]).cookie, "a=1; b=2");
});

test("received headers have no hop-by-hop and no pseudo ones, nor those that connection names", () => {
  const raw = [
    ":path",
    "/",
    "Connection",
    "keep-alive, X-Secret",
    "x-secret",
    "1",
    "te",
    "trailers",
  ];
  assert.deepEqual(plain(receivedHeaders([...raw, "keep-alive", "5", "x-kept", "2"])), {
    "x-kept": "2",
  });
});

test("names that objects inherit are names like others", () => {
  const headers = receivedHeaders(["constructor", "a", "__proto__", "b", "constructor", "c"]);
  assert.deepEqual(Object.entries(headers), [
    ["constructor", ["a", "c"]],
    ["__proto__", "b"],
  ]);
});

test("a copy without hop-by-hop headers leaves the original as it was", () => {
  const headers = {
    connection: "close, x-one",
    "x-one": "1",
    "x-two": ["2", "3"],
    empty: undefined,
  };
  assert.deepEqual(plain(withoutHopByHop(headers)), { "x-two": ["2", "3"] });
  assert.equal(headers["x-one"], "1");
});

test("an upgrade is asked for by two headers, and only by both", () => {
  assert.equal(
    upgradeProtocol({ connection: "keep-alive, Upgrade", upgrade: "SPDY/3.1" }),
    "SPDY/3.1",
  );
  assert.equal(upgradeProtocol({ upgrade: "SPDY/3.1" }), undefined);
  assert.equal(upgradeProtocol({ connection: "keep-alive" }), undefined);
});
