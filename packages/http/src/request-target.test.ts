import assert from "node:assert/strict";
import { test } from "node:test";
import { splitTarget } from "./request-target.ts";

const cases: Record<string, [target: string, path: string, query: string]> = {
  "a path alone": ["/api/v1", "/api/v1", ""],
  "a path with a query": ["/api?watch=1&x=%2F", "/api", "watch=1&x=%2F"],
  "a query with question marks": ["/a?b?c", "/a", "b?c"],
  "an empty query": ["/a?", "/a", ""],
  "a path that stays encoded": ["/a%2Fb/../c", "/a%2Fb/../c", ""],
  "two slashes, which are no host": ["//host/a", "//host/a", ""],
  "scheme and host before the path": ["https://example.com:6443/a/b?c", "/a/b", "c"],
};

for (const [name, [target, path, query]] of Object.entries(cases)) {
  test(`a target is ${name}`, () => assert.deepEqual(splitTarget(target), { path, query }));
}

for (const target of ["*", "", "example.com:443", "http://host", "ftp://host/a", "?a"]) {
  test(`"${target}" is no target`, () => assert.equal(splitTarget(target), undefined));
}
