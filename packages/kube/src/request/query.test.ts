import assert from "node:assert/strict";
import { test } from "node:test";
import { booleanOption, optionalBoolean, optionalInteger, parseQuery } from "./query.ts";

test("a boolean is true unless it says otherwise", () => {
  const query = new URLSearchParams("a&b=x&c=0&d=FALSE");
  const found = ["a", "b", "c", "d", "e"].map((name) => booleanOption(query, name));
  assert.deepEqual(found, [true, true, false, false, false]);
  assert.equal(optionalBoolean(query, "e"), undefined);
});

test("an integer is read as Go reads it", () => {
  const query = new URLSearchParams(
    "a=%2B5&b=-1&c=9223372036854775807&d=9223372036854775808&e=1.5",
  );
  assert.equal(optionalInteger(query, "a"), 5);
  assert.equal(optionalInteger(query, "b"), -1);
  assert.equal(optionalInteger(query, "c"), 2 ** 63);
  assert.equal(optionalInteger(query, "f"), undefined);
  assert.throws(
    () => optionalInteger(query, "d"),
    /parsing "9223372036854775808": value out of range/,
  );
  assert.throws(() => optionalInteger(query, "e"), /parsing "1.5": invalid syntax/);
});

test("a query is read as Go reads it", () => {
  const rows: Record<string, [string, string][]> = {
    "a=1&&b=2&": [
      ["a", "1"],
      ["b", "2"],
    ],
    "watch=0;&watch=1": [["watch", "1"]],
    "watch=%zz&limit=1": [["limit", "1"]],
    "%zz=1&a=%": [],
    "%77atch=a+b": [["watch", "a b"]],
    "?a=1": [["?a", "1"]],
    "?a=%zz&?b=1": [["?b", "1"]],
  };
  for (const [query, expected] of Object.entries(rows)) {
    assert.deepEqual([...parseQuery(query)], expected, query);
  }
});
