import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatParagraph } from "./paragraph.ts";

describe("a message is broken into lines", () => {
  const rows: Record<string, [text: string, lines: readonly string[]]> = {
    "nothing is one empty line": ["", [""]],
    "a short one stays as it is": ["all is ok", ["all is ok"]],
    "between words where it is too long": ["aaaa bbbb cccc", ["aaaa bbbb", "cccc"]],
    "a word that is too long stays whole": ["aaaaaaaaaaaaaa b", ["", "aaaaaaaaaaaaaa", "b"]],
    "its own lines stay lines": ["a\nb", ["a", "b"]],
    "what is indented stays indented": ["  aaaa bbbb cccc", ["  aaaa", "  bbbb", "  cccc"]],
    "items of a list continue below their text": ["* aaaa bbbb", ["* aaaa", "  bbbb"]],
  };
  for (const [name, [text, lines]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(formatParagraph(text, 10), lines));
  }
});
