import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldBytes } from "./held-bytes.ts";

test("bytes are held in their order, and views of them stay as they are", () => {
  const held = new HeldBytes();
  const views: [Uint8Array, string][] = [];
  let expected = "";
  for (let i = 0; i < 200; i++) {
    const text = String(i).repeat(i % 7);
    held.append(Buffer.from(text));
    expected += text;
    if (i % 5 === 0) {
      const length = Math.min(expected.length, i % 11);
      views.push([held.bytes.subarray(0, length), expected.slice(0, length)]);
      held.drop(length);
      expected = expected.slice(length);
    }
    assert.equal(Buffer.from(held.bytes).toString(), expected);
  }
  for (const [view, text] of views) assert.equal(Buffer.from(view).toString(), text);
});
