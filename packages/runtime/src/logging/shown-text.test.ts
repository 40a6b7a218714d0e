import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { describe, it } from "node:test";
import { createLogger } from "./pino-logger.ts";
import { shownText } from "./shown-text.ts";

const cases: Record<string, [text: string, shown: string]> = {
  "stays as it is": ["two\nlines", "two\nlines"],
  "tells a terminal nothing": ["a\u001b[31mb\r", "a\\u001b[31mb\\u000d"],
  "has no tokens": ["Bearer abcdefghijkl was refused", "Bearer [redacted] was refused"],
  "has no passwords of URLs": ["https://ann:hush@host/", "https://ann:[redacted]@host/"],
};

describe("text that is shown", () => {
  for (const [name, [text, shown]] of Object.entries(cases)) {
    it(name, () => assert.equal(shownText(text, 100), shown));
  }

  it("is cut at its limit, and stays so", () => {
    const shown = shownText("line\n".repeat(1000), 50);
    assert.equal(shown.length, 50);
    assert.equal(shown.at(-1), "…");
    assert.equal(shownText(shown, 50), shown);
  });

  it("has nothing of a secret that the limit cuts", () => {
    const text = `${"x".repeat(40)} Bearer ${"s".repeat(40)}`;
    assert.doesNotMatch(shownText(text, 60), /ss/);
  });

  it("makes lines of a log that are short, whatever a server says", () => {
    const lines: string[] = [];
    const output = new Writable({
      write: (chunk, _, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    const logger = createLogger({ output });
    const long = `\u001b[2J${"x".repeat(10_000_000)}`;
    const error = new Error(long, { cause: new Error(long) });
    logger.error(error, "Reconciler error", { answer: long, list: Array(10_000).fill(long) });
    assert.equal(lines.length, 1);
    assert.ok((lines[0]?.length ?? 0) < 300_000);
    const { error: said } = JSON.parse(lines[0] ?? "") as { readonly error: string };
    assert.match(said, /^\\u001b\[2Jx+…$/);
  });
});
