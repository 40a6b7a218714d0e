import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import { UsageError } from "../errors.ts";
import { providerFlags } from "../providers/provider-flags.ts";
import { type InstanceFlags, instanceFlags, watchOf } from "./instance-flags.ts";

const watchOfArgs = (args: string) =>
  watchOf(
    instanceFlags(providerFlags(new Command()))
      .parse(args.split(" "), { from: "user" })
      .opts<InstanceFlags>(),
  );

test("namespaces may be repeated, and listed", () => {
  const args = "-i aws --watch-namespace a,b --watch-namespace b --watch-namespace c";
  assert.deepEqual(watchOfArgs(args), { namespaces: ["a", "b", "c"] });
  assert.deepEqual(watchOfArgs("-i aws --watch-rest"), { rest: true });
  assert.equal(watchOfArgs("-i aws"), undefined);
});

test("rights go with the namespaces that are watched", () => {
  const watch = { namespaces: ["a"], rbac: "Cluster" };
  assert.deepEqual(watchOfArgs("-i aws --watch-namespace a --watch-rbac Cluster"), watch);
  assert.throws(() => watchOfArgs("-i aws --watch-rest --watch-rbac Cluster"), UsageError);
});

test("what can't be meant is refused", () => {
  for (const args of [
    "-i aws --watch-rest --watch-namespace a",
    "-i aws --watch-namespace ,",
    "--watch-rest",
  ]) {
    assert.throws(() => watchOfArgs(args), UsageError, args);
  }
});
