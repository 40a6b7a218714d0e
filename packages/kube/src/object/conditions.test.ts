import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import {
  type Condition,
  type ConditionStatement,
  getCondition,
  hasConditionStatus,
  isFalse,
  isTrue,
  isUnknown,
  removeCondition,
  setCondition,
  statementsOf,
  withConditions,
} from "./conditions.ts";

const clock = () => new Date("2025-01-02T03:04:05.678Z");
const ready: Condition = {
  type: "Ready",
  status: "False",
  observedGeneration: 1,
  lastTransitionTime: "2024-01-01T00:00:00Z",
  reason: "Waiting",
  message: "",
};
const others: Condition = { ...ready, type: "Available" };

function stated(changes: Partial<ConditionStatement> = {}): ConditionStatement {
  const { lastTransitionTime: _, ...statement } = ready;
  return { ...statement, ...changes };
}

describe("setCondition", () => {
  it("adds a condition at the end, with the clock's time to the second", () => {
    assert.deepEqual(setCondition([others], stated(), clock), [
      others,
      { ...ready, lastTransitionTime: "2025-01-02T03:04:05Z" },
    ]);
  });

  it("begins a list where there was none", () => {
    assert.equal(setCondition(undefined, stated(), clock).length, 1);
  });

  it("moves lastTransitionTime when the status changes, and keeps the place", () => {
    const [first, second] = setCondition([ready, others], stated({ status: "True" }), clock);
    assert.equal(first?.lastTransitionTime, "2025-01-02T03:04:05Z");
    assert.equal(first?.status, "True");
    assert.equal(second, others);
  });

  const unmoved: Record<string, Partial<ConditionStatement>> = {
    "the reason": { reason: "Other" },
    "the message": { message: "other" },
    "the observed generation": { observedGeneration: 2 },
  };
  for (const [what, change] of Object.entries(unmoved)) {
    it(`keeps lastTransitionTime when only ${what} changes`, () => {
      const [condition] = setCondition([ready], stated(change), clock);
      assert.deepEqual(condition, { ...ready, ...change });
    });
  }

  it("ignores a stated time while the status stays", () => {
    const conditions = [ready];
    const statement = stated({ lastTransitionTime: "2030-01-01T00:00:00Z" });
    assert.equal(setCondition(conditions, statement, clock), conditions);
  });

  it("takes a stated time when the status changes", () => {
    const lastTransitionTime = "2030-01-01T00:00:00Z";
    const [condition] = setCondition(
      [ready],
      stated({ status: "Unknown", lastTransitionTime }),
      clock,
    );
    assert.equal(condition?.lastTransitionTime, lastTransitionTime);
  });

  it("returns the very list where nothing changes, and never changes it", () => {
    const conditions = Object.freeze([ready]);
    assert.equal(setCondition(conditions, stated(), clock), conditions);
    setCondition(conditions, stated({ status: "True" }), clock);
    assert.deepEqual(conditions, [ready]);
  });

  it("drops an observed generation that is no longer stated", () => {
    const { observedGeneration: _, ...statement } = stated();
    assert.equal(setCondition([ready], statement, clock)[0]?.observedGeneration, undefined);
  });
});

describe("reading and removing", () => {
  it("finds a condition by its type", () => {
    assert.equal(getCondition([others, ready], "Ready"), ready);
    assert.equal(getCondition(undefined, "Ready"), undefined);
    assert.ok(hasConditionStatus([ready], "Ready", "False"));
    assert.ok(!hasConditionStatus([ready], "Absent", "Unknown"));
  });

  it("removes a condition, and returns the very list where there is none", () => {
    const conditions = [ready, others];
    assert.deepEqual(removeCondition(conditions, "Ready"), [others]);
    assert.equal(removeCondition(conditions, "Absent"), conditions);
    assert.deepEqual(removeCondition(undefined, "Ready"), []);
  });
});

const newYear = () => new Date("2026-01-01T00:00:00Z");

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
  const { status } = withConditions(object, statementsOf({ Ready: isTrue("Ready") }), newYear);
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
