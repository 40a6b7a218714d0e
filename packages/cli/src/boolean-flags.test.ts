import assert from "node:assert/strict";
import { test } from "node:test";
import { withPlainBooleans } from "./boolean-flags.ts";

test("flags with a value become flags that are set, or not", () => {
  const args = ["--echo=true", "--grouping=false", "--grouping=F", "--other=true", "--echo=x", "a"];
  assert.deepEqual(withPlainBooleans(args, ["echo", "grouping"]), [
    ...["--echo", "--no-grouping", "--no-grouping", "--other=true", "--echo=x", "a"],
  ]);
});
