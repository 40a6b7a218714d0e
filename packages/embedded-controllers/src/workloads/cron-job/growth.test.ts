import { growing, testGrowth } from "@rookery/testing";
import type { CronJob } from "../shared/objects.ts";
import { scheduleOf, secondsToNext } from "./schedule-times.ts";

const cronJob = (spec: string, since: number): CronJob =>
  ({
    metadata: { creationTimestamp: new Date(since).toISOString() },
    spec: { schedule: spec, timeZone: "Europe/Berlin" },
    status: {},
  }) as unknown as CronJob;
const now = Date.parse("2026-03-29T01:00:00Z");
const missed = (spec: string) =>
  growing({
    build: (n) => cronJob(spec, now - n * 86_400_000),
    run: (job) => secondsToNext(job, scheduleOf(job), now),
  });

testGrowth({
  "a schedule that was missed for years": missed("* * * * *"),
  "a schedule of a day that was missed for years": missed("* * 1 * *"),
  "a schedule of a leap day that was missed for years": missed("* * 29 2 *"),
});
