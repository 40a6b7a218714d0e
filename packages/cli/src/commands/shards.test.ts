import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { run } from "../../test/run.ts";

describe("rookery shards", () => {
  it("says what it takes", async () => {
    const { code, output } = await run("shards --help");
    assert.equal(code, 0);
    assert.match(output, /--output <form>/);
  });

  it("refuses what it does not know", async () => {
    for (const args of ["shards -o xml", "shards --seconds=none", "shards now"]) {
      assert.equal((await run(args)).code, 2, args);
    }
  });

  it("says that it cannot be asked without a cluster", async () => {
    const { code, errors } = await run("shards --kubeconfig=/nowhere/kubeconfig");
    assert.equal(code, 1);
    assert.match(errors, /\/nowhere\/kubeconfig/);
  });
});
