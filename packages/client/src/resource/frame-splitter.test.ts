import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { cutBytes } from "../../test/cut-bytes.ts";
import { FrameSplitter } from "./frame-splitter.ts";

function split(chunks: readonly Uint8Array[], limit = 1 << 20): { lines: string[]; rest: string } {
  const frames = new FrameSplitter(limit);
  const lines: string[] = [];
  for (const chunk of chunks) {
    frames.feed(chunk);
    for (let line = frames.next(); line !== undefined; line = frames.next()) lines.push(line);
  }
  return { lines, rest: frames.rest() };
}

describe("splitting into lines", () => {
  it("gives back what was joined, wherever it is cut", () => {
    const line = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", "·"));
    fc.assert(
      fc.property(fc.array(line), line, fc.array(fc.nat()), (lines, rest, places) => {
        const wellFormed = [...lines, rest].map((text) => text.toWellFormed());
        const bytes = Buffer.from(wellFormed.join("\n"));
        assert.deepEqual(split(cutBytes(bytes, places)), {
          lines: wellFormed.slice(0, -1),
          rest: wellFormed.at(-1),
        });
      }),
    );
  });

  it("refuses a line that is too long, in one chunk or in many, at its end or before it", () => {
    const line = Buffer.from("0123456789");
    assert.deepEqual(split([line], 10).rest, "0123456789");
    const tooLong = [
      [Buffer.from("0123456789a")],
      [Buffer.from("0123456789a\n")],
      [line, Buffer.from("a")],
      [line.subarray(0, 5), line.subarray(5), Buffer.from("a\nb\n")],
    ];
    for (const chunks of tooLong) {
      assert.throws(() => split(chunks, 10), /an event is longer than 10 bytes/);
    }
  });

  it("puts a long line in many chunks together once", (test) => {
    const concat = test.mock.method(Buffer, "concat");
    const chunks = Array.from({ length: 1_000 }, () => Buffer.alloc(64, "x"));
    const { lines } = split([...chunks, Buffer.from("\n")], 1 << 30);
    assert.equal(lines[0]?.length, 64_000);
    const copied = concat.mock.calls.map(({ result }) => result?.length);
    assert.deepEqual(copied, [64_000, 0]);
  });
});
