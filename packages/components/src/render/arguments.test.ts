import assert from "node:assert/strict";
import { test } from "node:test";
import { withRepeatedFlag } from "./arguments.ts";

test("a flag is given once for each value, at the end, in place of what was there", () => {
  const container = { command: ["/manager", "--namespace=x"], args: ["--v=2", "--namespace", "y"] };
  assert.deepEqual(withRepeatedFlag(container, "namespace", ["a", "b"]), {
    command: ["/manager"],
    args: ["--v=2", "--namespace=a", "--namespace=b"],
  });
});

test("a flag without any value is taken away", () => {
  assert.deepEqual(withRepeatedFlag({ args: ["--namespace=x"] }, "namespace", []), { args: [] });
  assert.deepEqual(withRepeatedFlag({ args: ["--v=2"] }, "namespace", []), { args: ["--v=2"] });
});
