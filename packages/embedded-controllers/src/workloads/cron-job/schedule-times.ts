import { type CronSchedule, parseCronSchedule } from "@rookery/kube";
import type { CronJob } from "../shared/objects.ts";
import { nextTime } from "./next-time.ts";

/** Added to each wait, so that the time is past at the next reconcile. */
const delayMs = 100;
const manyMissed = 100;

export interface Schedule {
  readonly next: (after: number) => number | undefined;
}

/** The schedule of a CronJob, in its time zone or else in this machine's. Throws as parseCronSchedule. */
export function scheduleOf({ spec }: CronJob): Schedule {
  const parsed: CronSchedule = parseCronSchedule(spec.schedule ?? "");
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = parsed.zone || spec.timeZone || local;
  return { next: (after) => nextTime(parsed, after, zone) };
}

export interface Missed {
  /** The last time that has come, if one has. */
  readonly last: number | undefined;
  readonly earliest: number;
  readonly isMany: boolean;
}

/** Which time has come since a job was last made. */
export function missedTime(
  cronJob: CronJob,
  schedule: Schedule,
  { now, hasDeadline }: { readonly now: number; readonly hasDeadline: boolean },
): Missed {
  const { metadata, status, spec } = cronJob;
  const { startingDeadlineSeconds } = spec;
  const since = Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp ?? "");
  const isLimited = hasDeadline && startingDeadlineSeconds !== undefined;
  const limit = isLimited ? now - startingDeadlineSeconds * 1000 : since;
  const earliest = Math.max(since, limit);
  const first = schedule.next(earliest);
  if (first === undefined || now < first) return { last: undefined, earliest, isMany: false };
  const second = schedule.next(first);
  if (second === undefined || now < second) return { last: first, earliest, isMany: false };
  const count = Math.floor((now - first) / (second - first)) + 1;
  const last = lastUntil(schedule, first + (count - 2) * (second - first), now);
  return { last, earliest, isMany: count > manyMissed };
}

function lastUntil({ next }: Schedule, from: number, now: number): number | undefined {
  let last: number | undefined;
  for (let time = next(from); time !== undefined && time <= now; time = next(time)) last = time;
  return last;
}

/** In how many seconds it is time again; undefined where it never is. */
export function secondsToNext(
  cronJob: CronJob,
  schedule: Schedule,
  now: number,
): number | undefined {
  const { last, earliest } = missedTime(cronJob, schedule, { now, hasDeadline: false });
  const next = schedule.next(last ?? earliest);
  return next === undefined ? undefined : Math.max(0, next + delayMs - now) / 1000;
}
