import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { remoteText } from "./remote-text.ts";

const cases: Record<string, [text: string, shown: string]> = {
  "plain text stays as it is": ["no such host: é", "no such host: é"],
  "line ends are shown, not made": ["a\r\nb", "a\\u000d\\nb"],
  "a terminal is not told anything": ["\u001b[2Jx\u0007", "\\u001b[2Jx\\u0007"],
  "the direction of writing stays": ["a\u202eb\u2066", "a\\u202eb\\u2066"],
  "other line ends are shown": ["a\u2028b", "a\\u2028b"],
  "half of a character is replaced": ["a\ud800b", "a\ufffdb"],
};

describe("text of somebody else", () => {
  for (const [name, [text, shown]] of Object.entries(cases)) {
    it(name, () => assert.equal(remoteText(text), shown));
  }

  it("is cut at the limit, and says so", () => {
    assert.equal(remoteText("x".repeat(300), 10), `${"x".repeat(9)}…`);
    assert.equal(remoteText("x".repeat(10), 10), "x".repeat(10));
  });

  it("is never longer than the limit, has no control characters, and is stable", () => {
    for (let start = 0; start < 0x3000; start += 40) {
      const text = String.fromCodePoint(...Array.from({ length: 80 }, (_, index) => start + index));
      const shown = remoteText(text, 64);
      assert.ok(shown.length <= 64);
      assert.doesNotMatch(shown, /[\p{Cc}\u2028\u2029]/u);
      assert.equal(remoteText(shown, 64), shown);
    }
  });
});
