import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeServer, json, request } from "../../test/fake-server.ts";
import { reportWarnings } from "./warnings.ts";

async function warningsOf(...lines: (string | string[])[]): Promise<string[]> {
  const heard: string[] = [];
  const answers = lines.map((warning) => json({}, { headers: { warning } }));
  const handler = reportWarnings((text) => heard.push(text))(new FakeServer(...answers).handler);
  for (const _ of lines) await handler(request());
  return heard;
}

describe("warnings of the server", () => {
  it("are heard once each", async () => {
    assert.deepEqual(await warningsOf('299 - "a"', '299 - "b"', '299 - "a"'), ["a", "b"]);
  });

  it("may come in several lines, or several in one", async () => {
    assert.deepEqual(await warningsOf(['299 - "a, b"', '299 - "c" , 299 k8s "d"']), [
      "a, b",
      "c",
      "d",
    ]);
  });

  it("are unquoted", async () => {
    assert.deepEqual(await warningsOf('299 - "say \\"a\\\\b\\""'), ['say "a\\b"']);
  });

  it("of other kinds, and broken ones, are left out", async () => {
    assert.deepEqual(await warningsOf('199 - "a"', "299 - b", '299 - ""', "x"), []);
  });

  it("are not remembered without end", async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `299 - "${i}"`);
    const heard = await warningsOf(...many, '299 - "0"', '299 - "more"', '299 - "0"');
    assert.deepEqual(heard.slice(999), ["999", "more", "0"]);
  });
});
