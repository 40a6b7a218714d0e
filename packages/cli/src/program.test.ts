import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { rookery } from "./program.ts";

async function run(...args: readonly string[]): Promise<string> {
  let output = "";
  await rookery(args, (text) => {
    output += text;
  });
  return output;
}

describe("rookery", () => {
  it("says what there is when it is called without a command", async () => {
    assert.match(await run(), /rookery crds/);
  });

  it("prints a YAML document for every kind", async () => {
    const documents = parseAllDocuments(await run("crds")).map((document) => document.toJS());
    assert.ok(documents.length > 0);
    for (const { kind, metadata } of documents) {
      assert.equal(kind, "CustomResourceDefinition");
      assert.match(metadata.name, /^[a-z]+\.[a-z.0-9-]+$/);
    }
  });
});
