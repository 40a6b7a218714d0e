import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { cutBytes } from "../../test/cut-bytes.ts";
import { ListSplitter } from "./list-splitter.ts";

interface Split {
  readonly items: readonly unknown[];
  readonly envelope: unknown;
  readonly pieces: number;
}

function split(chunks: readonly Uint8Array[], maxItemBytes = 1 << 20): Split {
  const items: unknown[] = [];
  let pieces = 0;
  const splitter = new ListSplitter({
    maxItemBytes,
    onItems: (text) => {
      items.push(...JSON.parse(`[${text}]`));
      pieces++;
    },
    onTooLong: () => assert.fail("too long"),
  });
  for (const chunk of chunks) splitter.feed(chunk);
  return { items, envelope: JSON.parse(splitter.end()), pieces };
}

/** Text that looks like what is searched for. */
const tricky = fc.constantFrom('"items":[', '\\"', "\\", '"', "items", "],{", "ä", "🐧", "}}", ",");
const text = fc.oneof(
  tricky,
  fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
);
// JSON.parse of V8 13.6 takes a key that is one escape for another such key that it has seen at the same
// place; what these tests compare must not depend on it.
const key = text.filter((one) => one.length !== 1 || JSON.stringify(one).length === 3);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, text, fc.integer(), fc.constant(null), tie("list"), tie("map")),
  list: fc.array(tie("value"), { maxLength: 4 }),
  map: fc.dictionary(key, tie("value"), { maxKeys: 4 }),
}));

describe("splitting a list", () => {
  it("gives its items and what stands around them, wherever it is cut", () => {
    const around = fc.dictionary(fc.oneof(key, fc.constant("metadata")), value, { maxKeys: 3 });
    const indent = fc.constantFrom(0, 2);
    fc.assert(
      fc.property(
        around,
        fc.array(value),
        around,
        indent,
        fc.array(fc.nat()),
        (before, items, after, indent, places) => {
          const list = { ...before, items, ...after };
          if (list.items !== items) return;
          const json = JSON.stringify(list, undefined, indent);
          const expected = JSON.parse(json);
          const bytes = Buffer.from(json);
          const { items: found, envelope } = split(cutBytes(bytes, places));
          assert.deepEqual(found, expected.items);
          assert.deepEqual(envelope, { ...expected, items: [] });
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is done with items long before the list ends", () => {
    const item = { metadata: { name: "a" }, data: "x".repeat(1000) };
    const items = Array.from({ length: 1000 }, () => item);
    const { pieces } = split([Buffer.from(JSON.stringify({ items }))]);
    assert.ok(pieces > 20 && pieces < 40, `${pieces}`);
  });

  it("passes everything on where there are no items", () => {
    for (const answer of [{}, { items: null }, { items: [] }, [{ items: [1] }], "items", 1]) {
      const { items, envelope } = split([Buffer.from(JSON.stringify(answer))]);
      assert.deepEqual([items, envelope], [[], answer]);
    }
  });

  it("refuses an item that is too long, and an answer that is no list, before all of it has come", () => {
    const chunk = Buffer.alloc(32 * 1024, "x");
    for (const begin of ['{"items":["', '{"items":[1,2,"', "<html>"]) {
      assert.throws(() => split([Buffer.from(begin), chunk, chunk, chunk], 1024), /too long/);
    }
  });
});
