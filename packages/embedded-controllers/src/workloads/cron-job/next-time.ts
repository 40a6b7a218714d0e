import type { CronField, CronSchedule } from "@rookery/kube";
import { offsetAt, timesOf, type WallTime, wallTime } from "./zoned-time.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A schedule such as the 30th of February has no next time. */
const mostDays = 5 * 366;

/** The next time of a schedule after another one; undefined where there is none in five years. */
export function nextTime(schedule: CronSchedule, after: number, zone: string): number | undefined {
  const { everyMs, fields } = schedule;
  if (everyMs !== undefined) return Math.floor(after / 1000) * 1000 + everyMs;
  const today = Math.floor(wallTime(after, zone) / dayMs) * dayMs;
  // Where clocks are put back a time of yesterday may still come.
  for (let day = today - dayMs, count = 0; count < mostDays; day += dayMs, count++) {
    if (!isDay(day, fields)) continue;
    const next = timesOn(day, fields, zone).filter((time) => time > after);
    if (next.length > 0) return Math.min(...next);
  }
  return undefined;
}

/** A zone is asked about each of the 1440 minutes only around a day on which clocks are changed. */
function timesOn(day: WallTime, fields: readonly CronField[], zone: string): number[] {
  const walls = wallTimesOn(day, fields);
  const offset = offsetAt(day - dayMs, zone);
  if (offset === offsetAt(day + 2 * dayMs, zone)) return walls.map((wall) => wall - offset);
  return walls.flatMap((wall) => timesOf(wall, zone));
}

/** A day of the month and a day of the week are alternatives, unless one of them is any. */
function isDay(day: WallTime, fields: readonly CronField[]): boolean {
  const [, , days, months, weekdays] = fields;
  const date = new Date(day);
  if (!days || !months || !weekdays) return false;
  if (!months.values.has(date.getUTCMonth() + 1)) return false;
  const isDayOfMonth = days.values.has(date.getUTCDate());
  const isWeekday = weekdays.values.has(date.getUTCDay());
  return days.isStar || weekdays.isStar ? isDayOfMonth && isWeekday : isDayOfMonth || isWeekday;
}

function wallTimesOn(day: WallTime, [minutes, hours]: readonly CronField[]): WallTime[] {
  return [...(hours?.values ?? [])].flatMap((hour) =>
    [...(minutes?.values ?? [])].map((minute) => day + hour * hourMs + minute * minuteMs),
  );
}
