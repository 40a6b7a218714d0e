import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { ListItemError } from "../errors.ts";
import type { ListSchema } from "./merge-schema.ts";
import { mergeLists } from "./merge-values.ts";

const list: ListSchema = { type: "set", keys: [], items: { scalar: "untyped" } };

function merge(live: readonly unknown[], wanted: readonly unknown[]): readonly unknown[] {
  return mergeLists({ list, live, wanted }, (a, b) => (b === undefined ? a : b)) ?? [];
}

const orders: Record<string, [live: string, wanted: string, merged: string]> = {
  "what is new comes after what is there": ["ab", "c", "abc"],
  "nothing wanted leaves all as it is": ["abc", "", "abc"],
  "the order that is wanted wins": ["abc", "cba", "cba"],
  "what only the live list has keeps its place": ["abcde", "dbx", "acdebx"],
  "what is wanted before something shared stays before it": ["ab", "xb", "axb"],
  "something that is there twice is wanted once": ["aba", "a", "ab"],
  "something that is there twice is not wanted": ["aab", "c", "aabc"],
};

describe("lists are merged in structured-merge-diff's order", () => {
  for (const [sentence, [live, wanted, merged]] of Object.entries(orders)) {
    test(sentence, () => assert.equal(merge([...live], [...wanted]).join(""), merged));
  }

  test("everything is there once, and what is wanted is in its order", () => {
    const items = fc.uniqueArray(fc.constantFrom(..."abcdefgh"));
    fc.assert(
      fc.property(items, items, (live, wanted) => {
        const merged = merge(live, wanted);
        assert.deepEqual([...merged].sort(), [...new Set([...live, ...wanted])].sort());
        assert.deepEqual(
          merged.filter((item) => wanted.includes(String(item))),
          wanted,
        );
      }),
    );
  });

  test("what is wanted twice is refused", () => {
    assert.throws(
      () => merge([], ["a", "a"]),
      new ListItemError('duplicate entries for key [="a"]'),
    );
  });
});
