import assert from "node:assert/strict";
import { test } from "node:test";
import { FlagsError } from "@rookery/runtime";
import { parseNestedFlags } from "./flags.ts";

function controllersOf(...args: readonly string[]): readonly string[] {
  const flags = parseNestedFlags(args);
  assert.ok(!flags.help);
  return flags.controllers;
}

test("without --controllers the program is both providers", () => {
  assert.deepEqual(controllersOf(), ["infrastructure", "control-plane"]);
});

test("--controllers chooses one of them", () => {
  assert.deepEqual(controllersOf("--controllers=control-plane"), ["control-plane"]);
});

test("--controllers that are none are refused by name", () => {
  const parse = () => parseNestedFlags(["--controllers=infrastructure,controlplane"]);
  assert.throws(
    parse,
    (error) => error instanceof FlagsError && /controlplane/.test(error.message),
  );
});
