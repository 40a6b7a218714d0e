import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { run } from "../../test/run.ts";

describe("rookery migrate", () => {
  it("says what it takes, with examples", async () => {
    const { code, output } = await run("migrate --help");
    assert.equal(code, 0);
    assert.match(output, /--output <form> .*choices: "yaml", "json", default: "yaml"/);
    assert.match(output, /rookery migrate > providers\.yaml/);
  });

  it("refuses what it does not know", async () => {
    for (const args of ["migrate -o table", "migrate now"]) {
      assert.equal((await run(args)).code, 2, args);
    }
  });
});
