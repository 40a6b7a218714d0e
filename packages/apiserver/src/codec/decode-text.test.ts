import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeText } from "./decode-text.ts";

const rows: Record<string, [bytes: number[], text: string]> = {
  "text as it is": [[0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac], "aé€"],
  "a byte that begins nothing": [[0x61, 0xff, 0x62], "a\uFFFDb"],
  "each byte of a character that is cut off": [[0xe2, 0x82, 0x22], '\uFFFD\uFFFD"'],
  "a character that is cut off by the end": [[0xf0, 0x9f, 0x90], "\uFFFD\uFFFD\uFFFD"],
  "a slash that is written too long": [[0xc0, 0xaf], "\uFFFD\uFFFD"],
  "a byte order mark": [[0xef, 0xbb, 0xbf, 0x7b], "\uFEFF{"],
};
for (const [name, [bytes, text]] of Object.entries(rows)) {
  test(`bytes are read as Go reads them: ${name}`, () => {
    assert.equal(decodeText(Uint8Array.from(bytes)), text);
  });
}
