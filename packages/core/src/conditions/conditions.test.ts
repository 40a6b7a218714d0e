import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Condition } from "@rookery/kube";
import { aggregateOf } from "./aggregate.ts";
import { afterColon, priorityWith } from "./merge.ts";
import { mirrorOf } from "./mirror.ts";
import { withOrderedConditions } from "./order.ts";
import { summaryOf } from "./summary.ts";

const lastTransitionTime = "2026-01-01T00:00:00Z";
const clock = () => new Date(lastTransitionTime);
const reasons = { issue: "Issue", unknown: "Unknown", info: "Info" };

function condition(type: string, status: Condition["status"], message = ""): Condition {
  return { type, status, reason: `${type}Reason`, message, lastTransitionTime };
}

function machine(name: string, conditions: readonly Condition[], labels = {}) {
  return { kind: "Machine", metadata: { name, labels }, status: { conditions } };
}

describe("conditions of an object", () => {
  test("stand in Cluster API's order, those of others before Paused and Deleting", () => {
    const types = ["Deleting", "Mine", "Paused", "InfrastructureReady", "Available"];
    const object = withOrderedConditions(
      { metadata: { generation: 3 } },
      types.map((type) => condition(type, "True")),
      clock,
    );
    const { conditions = [] } = (object as { status?: { conditions?: Condition[] } }).status ?? {};
    assert.deepEqual(
      conditions.map(({ type }) => type),
      ["Available", "InfrastructureReady", "Mine", "Paused", "Deleting"],
    );
    assert.ok(conditions.every(({ observedGeneration }) => observedGeneration === 3));
  });
});

describe("a summary", () => {
  const of = ["Deleting", "A", "B"];
  const summary = (...conditions: readonly Condition[]) =>
    summaryOf(conditions, { of, reasons, priorityOf: priorityWith(["Deleting"]) });

  test("is good where all is, and tells what was said", () => {
    const good = summary(
      condition("Deleting", "False"),
      condition("A", "True", "fine"),
      condition("B", "True"),
    );
    assert.deepEqual(good, { status: "True", reason: "Info", message: "* A: fine" });
  });

  test("lists issues and what is not known, and nothing else", () => {
    const bad = summary(condition("A", "False"), condition("Deleting", "True", "a\nb"));
    assert.deepEqual(bad, {
      status: "False",
      reason: "Issue",
      message: "* Deleting:\n  * a\n  * b\n* A: AReason\n* B: Condition not yet reported",
    });
  });
});

describe("an aggregate", () => {
  const aggregate = (...machines: readonly ReturnType<typeof machine>[]) =>
    aggregateOf(machines, { of: "Ready", reasons });

  test("tells three messages, those of the control plane first, and counts the rest", () => {
    const bad = (name: string, message: string, labels = {}) =>
      machine(name, [condition("Ready", "False", message)], labels);
    const { status, message } = aggregate(
      ...["a", "b", "c", "d"].map((name) => bad(name, "no disk")),
      bad("e", "no net"),
      bad("f", "no name"),
      bad("g", "no etcd", { "cluster.x-k8s.io/control-plane": "" }),
      machine("h", []),
    );
    assert.equal(status, "False");
    assert.equal(
      message,
      [
        "* Machine g: no etcd",
        "* Machines a, b, c, ... (1 more): no disk",
        "* Machine e: no net",
        "And 1 Machine with other issues",
        "And 1 Machine with status unknown",
      ].join("\n"),
    );
  });

  test("is silent where nobody says anything", () => {
    const good = aggregate(machine("a", [condition("Ready", "True")]));
    assert.deepEqual(good, { status: "True", reason: "Info", message: "" });
  });
});

describe("a mirror", () => {
  const fallback = { status: "False", reason: "NotReady", message: "wait" } as const;
  const mirror = (...conditions: readonly object[]) =>
    mirrorOf(
      { apiVersion: "v1", kind: "A", metadata: {}, status: { conditions } },
      { of: "Ready", trueReason: "Ready", fallback },
    );

  test("says what is said of the object, and something else where nothing is", () => {
    assert.deepEqual(mirror(), fallback);
    const said = mirror(condition("Ready", "Unknown", "who knows"));
    assert.equal(said.status, "Unknown");
    assert.equal(said.message, "who knows");
  });

  test("fills in reasons that the older contract leaves out", () => {
    assert.equal(mirror({ type: "Ready", status: "True" }).reason, "Ready");
    assert.equal(mirror({ type: "Ready", status: "False" }).reason, "NoReasonReported");
  });

  test("does not believe what is no status", () => {
    const { status, reason } = mirror({ type: "Ready", status: "Maybe" });
    assert.deepEqual({ status, reason }, { status: "Unknown", reason: "InvalidConditionReported" });
  });
});

test("lists within messages are indented, and mixed ones become lists", () => {
  assert.equal(afterColon("one"), " one");
  assert.equal(afterColon("* a\n* b"), "\n  * a\n  * b");
  assert.equal(afterColon("first:\n* a"), "\n  * first:\n    * a");
});
