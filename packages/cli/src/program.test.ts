import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { createProgram } from "./program.ts";

async function rookery(...args: readonly string[]): Promise<string> {
  let output = "";
  await createProgram((text) => {
    output += text;
  }).parseAsync(args, { from: "user" });
  return output;
}

describe("rookery", () => {
  it("says what there is when it is called without a command", async () => {
    assert.match(await rookery(), /rookery crds/);
  });

  it("prints a YAML document for every kind", async () => {
    const documents = parseAllDocuments(await rookery("crds")).map((document) => document.toJS());
    assert.ok(documents.length > 0);
    for (const { kind, metadata } of documents) {
      assert.equal(kind, "CustomResourceDefinition");
      assert.match(metadata.name, /^[a-z]+\.[a-z.0-9-]+$/);
    }
  });
});
