import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PodStatus } from "@rookery/api";
import type { Job, Pod } from "../shared/objects.ts";
import { backoffSeconds, noFailures, recordWith } from "./failure-backoff.ts";
import { judgeFailure } from "./failure-policy.ts";
import { formatIndexes, parseIndexes } from "./index-list.ts";
import { successOf } from "./verdict.ts";

const job = (spec: Job["spec"]): Job => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "job", namespace: "ns" },
  spec,
  status: {},
});

const pod = (status: PodStatus): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "pod", namespace: "ns", creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: {},
  status,
});

const ended = (finishedAt: string, exitCode = 1) =>
  pod({
    phase: exitCode === 0 ? "Succeeded" : "Failed",
    containerStatuses: [{ name: "main", state: { terminated: { exitCode, finishedAt } } }],
  });

describe("lists of indexes", () => {
  const texts = ["", "0", "0,1", "0-2", "1,3-5,7,8,10"];
  for (const text of texts) {
    it(`"${text}" is read and written`, () => {
      assert.equal(formatIndexes(parseIndexes(text, 20)), text);
    });
  }
  it("end where there are no more completions", () => {
    assert.equal(formatIndexes(parseIndexes("1,3-9", 5)), "1,3,4");
  });
});

describe("the wait after failures", () => {
  const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}Z`;
  const now = new Date(at(30));

  it("doubles with each one", () => {
    const once = recordWith(noFailures, [], [ended(at(25))]);
    assert.equal(backoffSeconds(once, now), 5);
    const thrice = recordWith(once, [], [ended(at(26)), ended(at(28))]);
    assert.equal(backoffSeconds(thrice, now), 38);
  });
  it("begins anew after a success", () => {
    const twice = recordWith(noFailures, [], [ended(at(1)), ended(at(2))]);
    const mixed = recordWith(twice, [ended(at(10), 0)], [ended(at(9)), ended(at(29))]);
    assert.deepEqual(mixed, { failures: 1, last: Date.parse(at(29)) });
    assert.deepEqual(recordWith(twice, [ended(at(10), 0)], []), noFailures);
  });
  it("is never longer than ten minutes", () => {
    assert.equal(backoffSeconds({ failures: 100, last: now.getTime() }, now), 600);
  });
});

describe("a policy for failures", () => {
  const rules = [
    { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
    { action: "Count", onExitCodes: { operator: "In", values: [1] } },
    { action: "FailJob", onExitCodes: { operator: "NotIn", values: [2] } },
  ];
  const judge = (failed: Pod) => judgeFailure(job({ podFailurePolicy: { rules } }), failed);

  it("counts what no rule is about", () => {
    assert.deepEqual(judge(ended("2026-01-01T00:00:00Z", 2)), { counts: true });
  });
  it("lets the first rule decide that fits", () => {
    assert.deepEqual(judge(ended("2026-01-01T00:00:00Z", 1)), { counts: true, action: "Count" });
    const conditions = [{ type: "DisruptionTarget", status: "True" }];
    assert.deepEqual(judge(pod({ phase: "Failed", conditions })), {
      counts: false,
      action: "Ignore",
    });
  });
  it("says why a job fails", () => {
    const { failsJob } = judge(ended("2026-01-01T00:00:00Z", 42));
    const why =
      "Container main for pod ns/pod failed with exit code 42 matching FailJob rule at index 2";
    assert.equal(failsJob, why);
  });
});

describe("a policy for success", () => {
  const policy = (...rules: object[]) => job({ completions: 10, successPolicy: { rules } });
  const rows: [string, object, number[], boolean][] = [
    ["all of some indexes", { succeededIndexes: "0,2-3" }, [0, 2, 3, 5], true],
    ["not all of them", { succeededIndexes: "0,2-3" }, [0, 2], false],
    ["as many of them as asked for", { succeededIndexes: "0-5", succeededCount: 2 }, [1, 4], true],
    ["as many of any", { succeededCount: 2 }, [8, 9], true],
    ["fewer of any", { succeededCount: 2 }, [8], false],
  ];
  for (const [name, rule, succeeded, isMet] of rows) {
    it(`${name}: ${isMet}`, () => {
      const message = successOf(policy({ succeededCount: 11 }, rule), new Set(succeeded));
      assert.equal(message, isMet ? "Matched rules at index 1" : undefined);
    });
  }
});
