import assert from "node:assert/strict";
import { test } from "node:test";
import { append } from "./append.ts";

test("append takes more items than a call takes arguments", () => {
  const list = ["first"];
  append(list, new Array(300_000).fill("more"));
  assert.equal(list.length, 300_001);
});
