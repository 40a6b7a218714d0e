import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { run } from "./run-fixture.ts";

describe("rookery", () => {
  it("says what there is when it is called without a command", async () => {
    assert.match((await run([])).output, /rookery crds/);
    assert.deepEqual(await run("--help"), await run([]));
  });

  it("prints a YAML document for every kind", async () => {
    const { output } = await run("crds");
    const documents = parseAllDocuments(output).map((document) => document.toJS());
    assert.ok(documents.length > 0);
    for (const { kind, metadata } of documents) {
      assert.equal(kind, "CustomResourceDefinition");
      assert.match(metadata.name, /^[a-z]+\.[a-z.0-9-]+$/);
    }
  });

  it("helps with a command", async () => {
    const { code, output } = await run(["crds", "--help"]);
    assert.equal(code, 0);
    assert.match(output, /Usage: rookery crds/);
  });

  it("refuses a command that it does not have", async () => {
    assert.deepEqual(await run("fly"), {
      code: 2,
      output: "",
      errors: 'rookery: there is no command "fly". "rookery --help" lists the commands.\n',
    });
  });

  it("refuses an option that a command does not take", async () => {
    const { code, errors } = await run(["crds", "--colour"]);
    assert.equal(code, 2);
    assert.match(errors, /unknown option '--colour'. "rookery crds --help" says what it takes/);
  });
});
