import assert from "node:assert/strict";
import { test } from "node:test";
import { Warnings } from "./warnings.ts";

function headersOf(...texts: string[]): string[] {
  const warnings = new Warnings();
  for (const text of texts) warnings.add(text);
  return warnings.headers();
}

test("each warning is told once, quoted", () => {
  assert.deepEqual(headersOf('unknown field "a"', 'unknown field "a"', "b\\c"), [
    '299 - "unknown field \\"a\\""',
    '299 - "b\\\\c"',
  ]);
});

test("what can't stand in a header is left out", () => {
  assert.deepEqual(headersOf("", "a\r\nset-cookie: b", "c\0"), []);
});

test("text beyond ASCII goes as UTF-8", () => {
  const [header = ""] = headersOf("ü");
  assert.equal(Buffer.from(header, "latin1").toString("utf8"), '299 - "ü"');
});

test("warnings that are too long together are each cut, and end at the limit", () => {
  const texts = Array.from({ length: 40 }, (_, index) => String(index).padEnd(300, "x"));
  const headers = headersOf(...texts);
  assert.equal(headers.length, 16);
  assert.ok(headers.every((header) => header.length === '299 - ""'.length + 256));
});
