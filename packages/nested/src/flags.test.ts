import assert from "node:assert/strict";
import { test } from "node:test";
import { FlagsError } from "@rookery/runtime";
import { allowancesOf, parseNestedFlags } from "./flags.ts";

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

test("nothing is allowed but what flags name, one by one or with commas between", () => {
  const flags = parseNestedFlags([
    "--allowed-images=a.example/etcd,b.example/*",
    "--allowed-extra-args=etcd:max-request-bytes",
    "--allowed-extra-args=kube-apiserver:*",
  ]);
  assert.ok(!flags.help);
  assert.deepEqual(allowancesOf(flags), {
    images: ["a.example/etcd", "b.example/*"],
    extraArgs: ["etcd:max-request-bytes", "kube-apiserver:*"],
    patches: [],
    hosts: [],
    serviceAnnotations: [],
  });
});

test("what is allowed has to be written as the flag is read", () => {
  for (const [flag, value, form] of [
    ["allowed-extra-args", "apiserver:v", /program:flag/],
    ["allowed-extra-args", "v", /program:flag/],
    ["allowed-patches", "Pod:spec", /kind:path/],
  ] as const) {
    assert.throws(
      () => parseNestedFlags([`--${flag}=${value}`]),
      (error) => error instanceof FlagsError && form.test(error.message),
    );
  }
});
