import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Job, JobStatus } from "@rookery/api";
import { validateJobStatus } from "./job-status.ts";

const start = "2026-01-01T00:00:00Z";
const end = "2026-01-01T00:05:00Z";

function conditions(...types: string[]): JobStatus {
  return { conditions: types.map((type) => ({ type, status: "True" })) };
}

const complete: JobStatus = {
  ...conditions("Complete", "SuccessCriteriaMet"),
  startTime: start,
  completionTime: end,
};
const indexed: Job["spec"] = {
  completionMode: "Indexed",
  completions: 5,
  parallelism: 5,
  backoffLimitPerIndex: 1,
};

interface Change {
  readonly spec?: Job["spec"];
  readonly old?: JobStatus;
  readonly status: JobStatus;
}

describe("the status of a job may", () => {
  const rows: Record<string, [change: Change, fields: readonly string[]]> = {
    begin: [{ status: { startTime: start, active: 1 } }, []],
    "be complete": [{ status: complete }, []],
    "stay wrong where it was wrong before": [
      { old: { active: 1, ready: 2 }, status: { active: 1, ready: 2, failed: 1 } },
      [],
    ],
    "not be complete and a failure": [
      {
        status: {
          ...complete,
          ...conditions("Complete", "SuccessCriteriaMet", "Failed", "FailureTarget"),
        },
      },
      ["status.conditions", "status.conditions", "status.conditions", "status.conditions"],
    ],
    "not be complete without a time": [
      { status: { ...conditions("Complete", "SuccessCriteriaMet"), startTime: start } },
      ["status.completionTime"],
    ],
    "not end before it has begun": [
      { status: { ...complete, startTime: end, completionTime: start } },
      ["status.completionTime"],
    ],
    "not be complete with pods at work": [
      { status: { ...complete, active: 1, terminating: 1 } },
      ["status.active", "status.terminating"],
    ],
    "not have indexes that are done and have failed": [
      { spec: indexed, status: { completedIndexes: "0-2", failedIndexes: "2" } },
      ["status.failedIndexes"],
    ],
    "not go back": [
      {
        old: { startTime: start, failed: 2, succeeded: 2 },
        status: { startTime: start, failed: 1 },
      },
      ["status.failed", "status.succeeded"],
    ],
    "have fewer successes where an indexed job shrinks": [
      { spec: indexed, old: { succeeded: 5 }, status: { succeeded: 3 } },
      [],
    ],
    "not lose what is final": [
      { old: complete, status: { startTime: start } },
      ["status.conditions", "status.conditions"],
    ],
    "have another beginning only while it is suspended": [
      { old: { startTime: start }, status: { startTime: end } },
      ["status.startTime"],
    ],
    "begin anew after it was suspended": [
      {
        old: { startTime: start, ...conditions("Suspended") },
        status: { startTime: end, conditions: [{ type: "Suspended", status: "False" }] },
      },
      [],
    ],
  };
  for (const [name, [{ spec = {}, old = {}, status }, fields]] of Object.entries(rows)) {
    it(name, () => {
      const problems = validateJobStatus({ spec, status }, { spec, status: old });
      assert.deepEqual(
        problems.map(({ field }) => field),
        fields,
      );
    });
  }
});
