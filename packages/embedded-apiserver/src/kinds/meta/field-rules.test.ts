import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldPath } from "@rookery/kube";
import { isSameValue, validateAnnotations, validateImmutable } from "./field-rules.ts";

test("what is absent, null or empty is the same", () => {
  assert.ok(isSameValue({ a: [], b: null }, {}));
  assert.ok(isSameValue(undefined, []));
  assert.ok(!isSameValue({ a: "" }, { a: "x" }));
  assert.ok(!isSameValue([1, 2], [2, 1]));
});

test("a changed field that may not change is named with its new value", () => {
  const [problem, ...others] = validateImmutable("b", "a", fieldPath("spec", "x"));
  assert.equal(String(problem), 'spec.x: Invalid value: "b": field is immutable');
  assert.deepEqual(others, []);
});

test("annotations may have capitals in their keys, but not more than 256 KiB", () => {
  const path = fieldPath("metadata", "annotations");
  assert.deepEqual(validateAnnotations({ "Example.com/A": "" }, path), []);
  const [problem] = validateAnnotations({ a: "x".repeat(256 * 1024) }, path);
  assert.equal(
    String(problem),
    "metadata.annotations: Too long: may not be more than 262144 bytes",
  );
});
