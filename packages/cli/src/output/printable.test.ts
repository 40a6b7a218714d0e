import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { styleText } from "node:util";
import { printable } from "./printable.ts";

describe("text for a terminal", () => {
  const rows: Record<string, [text: string, shown: string]> = {
    "keeps lines and tabs": ["a\tb\r\nc\n", "a\tb\r\nc\n"],
    "keeps every script": ["Zürich 東京 🐦", "Zürich 東京 🐦"],
    "shows what would clear the screen": ["\u001b[2J", "\\u001b[2J"],
    "shows what would hide text": ["\u001b[8mx", "\\u001b[8mx"],
    "shows what would set the title": ["\u001b]0;x\u0007", "\\u001b]0;x\\u0007"],
    "shows what would copy to the clipboard": [
      "\u001b]52;c;eA==\u001b\\",
      "\\u001b]52;c;eA==\\u001b\\",
    ],
    "shows a sequence of one character": ["\u009b2J", "\\u009b2J"],
    "shows what would overwrite the line": ["failed\rfine", "failed\\u000dfine"],
    "shows what would delete what is before it": ["a\b\b\u007f", "a\\u0008\\u0008\\u007f"],
  };
  for (const [sentence, [text, shown]] of Object.entries(rows)) {
    it(sentence, () => assert.equal(printable(text), shown));
  }

  it("keeps the colours of this program", () => {
    for (const style of ["gray", "cyan", "green", "red", "yellow", "bold", "dim"] as const) {
      const text = styleText(style, "x", { validateStream: false });
      assert.equal(printable(text), text);
    }
  });
});
