import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseCronSchedule } from "@rookery/kube";
import { nextTime } from "./next-time.ts";
import { formatZoned } from "./zoned-time.ts";

interface Row {
  readonly schedule: string;
  readonly after: string;
  readonly zone?: string;
  /** Several, one after the other. */
  readonly next: readonly (string | undefined)[];
}

const rows: Readonly<Record<string, Row>> = {
  "each minute, never the same one again": {
    schedule: "* * * * *",
    after: "2026-01-01T00:00:00Z",
    next: ["2026-01-01T00:01:00Z", "2026-01-01T00:02:00Z"],
  },
  "each quarter of an hour between nine and ten on working days": {
    schedule: "*/15 9 * * mon-fri",
    after: "2026-01-02T09:40:00Z",
    next: ["2026-01-02T09:45:00Z", "2026-01-05T09:00:00Z"],
  },
  "a day of the month or a day of the week, where both are named": {
    schedule: "0 0 13 * 5",
    after: "2026-03-07T00:00:00Z",
    next: ["2026-03-13T00:00:00Z", "2026-03-20T00:00:00Z"],
  },
  "both, where one of them is any": {
    schedule: "0 0 * 2 1",
    after: "2026-01-01T00:00:00Z",
    next: ["2026-02-02T00:00:00Z"],
  },
  "a leap day": {
    schedule: "0 0 29 2 *",
    after: "2026-01-01T00:00:00Z",
    next: ["2028-02-29T00:00:00Z"],
  },
  "a day that never comes": {
    schedule: "0 0 30 2 *",
    after: "2026-01-01T00:00:00Z",
    next: [undefined],
  },
  "a descriptor": {
    schedule: "@monthly",
    after: "2026-01-15T00:00:00Z",
    next: ["2026-02-01T00:00:00Z"],
  },
  "a time between two": {
    schedule: "@every 90s",
    after: "2026-01-01T00:00:00Z",
    next: ["2026-01-01T00:01:30Z"],
  },
  "a zone": {
    schedule: "30 8 * * *",
    after: "2026-07-01T00:00:00Z",
    zone: "Europe/Berlin",
    next: ["2026-07-01T06:30:00Z"],
  },
  "a zone of the schedule's own": {
    schedule: "TZ=Asia/Kolkata 30 8 * * *",
    after: "2026-07-01T00:00:00Z",
    zone: "Asia/Kolkata",
    next: ["2026-07-01T03:00:00Z"],
  },
  "no time that clocks leave out when they are put forward": {
    schedule: "30 2 * * *",
    after: "2026-03-28T02:00:00Z",
    zone: "Europe/Berlin",
    next: ["2026-03-30T00:30:00Z"],
  },
  "twice what clocks show twice when they are put back": {
    schedule: "30 2 * * *",
    after: "2026-10-24T12:00:00Z",
    zone: "Europe/Berlin",
    next: ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"],
  },
};

describe("the next time of a schedule", () => {
  for (const [name, { schedule, after, zone = "UTC", next }] of Object.entries(rows)) {
    it(name, () => {
      let time: number | undefined = Date.parse(after);
      for (const expected of next) {
        time = nextTime(parseCronSchedule(schedule), time ?? 0, zone);
        assert.equal(time && new Date(time).toISOString().replace(".000", ""), expected);
      }
    });
  }
});

it("a time is written with the offset of its zone", () => {
  const time = Date.parse("2026-07-01T12:00:00Z");
  assert.equal(formatZoned(time, "UTC"), "2026-07-01T12:00:00Z");
  assert.equal(formatZoned(time, "Asia/Kolkata"), "2026-07-01T17:30:00+05:30");
  assert.equal(formatZoned(time, "America/New_York"), "2026-07-01T08:00:00-04:00");
});
