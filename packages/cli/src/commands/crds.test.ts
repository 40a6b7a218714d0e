import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "../../test/run.ts";

test("the kinds of the embedded core are not among those of real clusters", async () => {
  const { output } = await run("crds");
  assert.doesNotMatch(output, /name: clusters\.cluster\.x-k8s\.io/);
});
