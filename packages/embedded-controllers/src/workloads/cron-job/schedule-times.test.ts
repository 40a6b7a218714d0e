import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CronJob } from "../shared/objects.ts";
import { missedTime, scheduleOf, secondsToNext } from "./schedule-times.ts";

function cronJob(spec: CronJob["spec"], lastScheduleTime?: string): CronJob {
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "job", creationTimestamp: "2026-01-01T10:00:10Z" },
    spec: { schedule: "0 * * * *", timeZone: "UTC", ...spec },
    status: lastScheduleTime ? { lastScheduleTime } : {},
  };
}

const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);

describe("the time that a CronJob has missed", () => {
  const missed = (job: CronJob, now: string) => {
    const options = { now: at(now), hasDeadline: true };
    const { last, isMany } = missedTime(job, scheduleOf(job), options);
    return { last: last && new Date(last).toISOString().slice(11, 16), isMany };
  };

  it("is none before the first one has come", () => {
    assert.deepEqual(missed(cronJob({}), "10:59:59"), { last: undefined, isMany: false });
  });
  it("is the first one since it was created", () => {
    assert.deepEqual(missed(cronJob({}), "11:00:00"), { last: "11:00", isMany: false });
  });
  it("is the last of several", () => {
    assert.deepEqual(missed(cronJob({}), "14:20:00"), { last: "14:00", isMany: false });
  });
  it("is none that came before the last job", () => {
    const job = cronJob({}, "2026-01-01T14:00:00Z");
    assert.deepEqual(missed(job, "14:20:00"), { last: undefined, isMany: false });
  });
  it("is none that is past the deadline", () => {
    const job = cronJob({ startingDeadlineSeconds: 60 });
    assert.deepEqual(missed(job, "14:20:00"), { last: undefined, isMany: false });
  });
  it("is told to be one of many", () => {
    const job = cronJob({ schedule: "* * * * *" });
    assert.deepEqual(missed(job, "12:00:30"), { last: "12:00", isMany: true });
  });
});

it("a CronJob is looked at again shortly after its next time", () => {
  const job = cronJob({});
  assert.equal(secondsToNext(job, scheduleOf(job), at("10:59:50")), 10.1);
  assert.equal(secondsToNext(job, scheduleOf(job), at("11:30:00")), 1800.1);
});
