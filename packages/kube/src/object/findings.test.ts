import assert from "node:assert/strict";
import { test } from "node:test";
import { isFalse, isTrue, isUnknown, statementsOf, withConditions } from "./findings.ts";

const clock = () => new Date("2026-01-01T00:00:00Z");

test("a finding is a condition without its type", () => {
  assert.deepEqual(isTrue("Ready"), { status: "True", reason: "Ready", message: "" });
  assert.deepEqual(isFalse("Gone", "why"), { status: "False", reason: "Gone", message: "why" });
  assert.deepEqual(isUnknown("Lost", "why").status, "Unknown");
});

test("findings become conditions in their order, and a type without one is left out", () => {
  const findings = { B: isTrue("Yes"), C: undefined, A: isFalse("No", "why") };
  assert.deepEqual(
    statementsOf(findings).map(({ type, status }) => [type, status]),
    [
      ["B", "True"],
      ["A", "False"],
    ],
  );
});

test("conditions hold for the generation of the object, and conditions of other types stay", () => {
  const other = { type: "Other", ...isTrue("Ready"), lastTransitionTime: "2025-01-01T00:00:00Z" };
  const object = { metadata: { generation: 7 }, status: { conditions: [other] } };
  const { status } = withConditions(object, statementsOf({ Ready: isTrue("Ready") }), clock);
  assert.deepEqual(
    status.conditions.map(({ type }) => type),
    ["Other", "Ready"],
  );
  assert.deepEqual(status.conditions[1], {
    type: "Ready",
    status: "True",
    reason: "Ready",
    message: "",
    observedGeneration: 7,
    lastTransitionTime: "2026-01-01T00:00:00Z",
  });
});
