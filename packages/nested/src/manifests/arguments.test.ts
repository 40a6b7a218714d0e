import assert from "node:assert/strict";
import { test } from "node:test";
import { argumentsOf } from "./pod-template.ts";

const own = { name: "a", "secure-port": "6443", v: "2" };

test("flags of the spec take the place of ours, in our order, and others follow", () => {
  const extra = [
    { name: "audit-log-path", value: "-" },
    { name: "v", value: "4" },
    { name: "name", value: "b=c" },
  ];
  assert.deepEqual(argumentsOf(own, extra), [
    "--name=b=c",
    "--secure-port=6443",
    "--v=4",
    "--audit-log-path=-",
  ]);
});

test("a flag that is given more than once is given so often", () => {
  const extra = ["a=1", "b=1"].map((value) => ({ name: "runtime-config", value }));
  assert.deepEqual(argumentsOf({ "runtime-config": "x", v: "1" }, extra), [
    "--runtime-config=a=1",
    "--runtime-config=b=1",
    "--v=1",
  ]);
});

test("without any, ours are all", () => {
  assert.deepEqual(argumentsOf(own), ["--name=a", "--secure-port=6443", "--v=2"]);
});
