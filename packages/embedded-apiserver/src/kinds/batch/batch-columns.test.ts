import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CronJob, Job } from "@rookery/api";
import type { BuiltInKind } from "../declaration/kind.ts";
import { cronJobKind } from "./cron-job.ts";
import { jobKind } from "./job.ts";

const now = new Date("2026-01-01T01:00:00Z");

function cellOf(columns: BuiltInKind["columns"], name: string, object: object) {
  return columns.find((column) => column.name === name)?.value(object as never, now);
}

describe("kubectl shows of a job", () => {
  const rows: Record<string, [column: string, job: Job, cell: string]> = {
    "that it runs": ["Status", {}, "Running"],
    "that it is complete, whatever else": [
      "Status",
      {
        metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
        status: { conditions: [{ type: "Complete", status: "True" }] },
      },
      "Complete",
    ],
    "that it is being deleted": [
      "Status",
      {
        metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
        status: { conditions: [{ type: "Suspended", status: "True" }] },
      },
      "Terminating",
    ],
    "that it is suspended": [
      "Status",
      { status: { conditions: [{ type: "Suspended", status: "True" }] } },
      "Suspended",
    ],
    "how many completions there are": [
      "Completions",
      { spec: { completions: 3 }, status: { succeeded: 1 } },
      "1/3",
    ],
    "that one of many is enough": ["Completions", { spec: { parallelism: 4 } }, "0/1 of 4"],
    "that one is enough": ["Completions", { spec: { parallelism: 1 } }, "0/1"],
    "no duration before it begins": ["Duration", {}, ""],
    "for how long it has been going on": [
      "Duration",
      { status: { startTime: "2026-01-01T00:00:00Z" } },
      "60m",
    ],
    "how long it took": [
      "Duration",
      { status: { startTime: "2026-01-01T00:00:00Z", completionTime: "2026-01-01T00:00:07Z" } },
      "7s",
    ],
  };
  for (const [name, [column, job, cell]] of Object.entries(rows)) {
    it(name, () => assert.equal(cellOf(jobKind.columns, column, job), cell));
  }
});

describe("kubectl shows of a CronJob", () => {
  const rows: Record<string, [column: string, cronJob: CronJob, cell: string | number]> = {
    "that it is suspended": ["Suspend", { spec: { suspend: true } }, "True"],
    "that it is not": ["Suspend", { spec: { suspend: false } }, "False"],
    "that it has never run": ["Last Schedule", {}, "<none>"],
    "when it has run": [
      "Last Schedule",
      { status: { lastScheduleTime: "2026-01-01T00:00:00Z" } },
      "60m",
    ],
    "how many jobs it has": ["Active", { status: { active: [{}, {}] } }, 2],
    "that it has no time zone": ["Timezone", {}, "<none>"],
  };
  for (const [name, [column, cronJob, cell]] of Object.entries(rows)) {
    it(name, () => assert.equal(cellOf(cronJobKind.columns, column, cronJob), cell));
  }
});
