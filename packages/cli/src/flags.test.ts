import assert from "node:assert/strict";
import { test } from "node:test";
import { Command } from "commander";
import { booleanFlag, repeatedList, wholeNumber, withPlainBooleans } from "./flags.ts";

test("boolean flags with a value become flags that are set, or not", () => {
  const command = new Command().option("--other").option("--no-cache");
  booleanFlag(booleanFlag(command, "--echo", ""), "-g, --grouping", "");
  const args = ["--echo=true", "--grouping=false", "--grouping=F", "--other=true", "--echo=x", "a"];
  assert.deepEqual(withPlainBooleans([...args, "--cache=false"], command), [
    ...["--echo", "--no-grouping", "--no-grouping", "--other=true", "--echo=x", "a"],
    "--cache=false",
  ]);
});

test("a list may be repeated, and has no empty entries", () => {
  assert.deepEqual(repeatedList("c, d,", repeatedList("a,,b")), ["a", "b", "c", "d"]);
});

test("a whole number is at least 1, and at most the limit", () => {
  const parse = wholeNumber("--replicas", 999);
  assert.equal(parse("999"), 999);
  for (const text of ["0", "1000", "-1", "1.5", "many", ""]) {
    assert.throws(() => parse(text), /--replicas ".*" is not a whole number from 1 to 999/);
  }
});
