import assert from "node:assert/strict";
import { test } from "node:test";
import { commands } from "../command.ts";
import { commandsToTry } from "./summary.ts";

test("what is said to be tried are commands that there are, for a kubeconfig of any name", () => {
  const [first = "", ...others] = commandsToTry({
    kubeconfig: "/home/me/it's here/kubeconfig",
    rookery: "rookery",
  });
  assert.equal(first, "export KUBECONFIG='/home/me/it'\\''s here/kubeconfig'");
  assert.equal(others.length, 3);
  for (const line of others) {
    assert.ok(
      commands.some(
        ({ name }) => line.startsWith(`rookery ${name} `) || line === `rookery ${name}`,
      ),
      line,
    );
  }
});
