import type { Duration, Timestamp } from "../../time.ts";
import { CelError, type Value } from "../values/value.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";
import { offsetIn } from "./time-zone.ts";

type Read = (local: Date, time: Timestamp) => number;

const YEAR_START = (date: Date): number => Date.UTC(date.getUTCFullYear(), 0, 1);
const dayOfYear: Read = (date) => Math.floor((date.getTime() - YEAR_START(date)) / 86_400_000);

/** In UTC, unless the call names a time zone. */
const ofTimestamp = (read: Read) => {
  return ([time, zone = "UTC"]: [Timestamp, string?]): Value => {
    const offset = offsetIn(zone, time);
    return offset instanceof CelError ? offset : BigInt(read(time.at(offset), time));
  };
};

function fromTimestamp(id: string, read: Read, idWithZone = `${id}_with_tz`) {
  return {
    [`${id}: timestamp.() -> int`]: ofTimestamp(read),
    [`${idWithZone}: timestamp.(string) -> int`]: ofTimestamp(read),
  };
}

function fromDuration(id: string, unit: bigint) {
  return { [`${id}: duration.() -> int`]: ([{ nanos }]: [Duration]): bigint => nanos / unit };
}

/** The parts of timestamps and durations. */
export const TIME_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions({
  getFullYear: fromTimestamp("timestamp_to_year", (date) => date.getUTCFullYear()),
  getMonth: fromTimestamp("timestamp_to_month", (date) => date.getUTCMonth()),
  getDayOfYear: fromTimestamp("timestamp_to_day_of_year", dayOfYear),
  getDayOfMonth: fromTimestamp("timestamp_to_day_of_month", (date) => date.getUTCDate() - 1),
  getDate: fromTimestamp("timestamp_to_day_of_month_1_based", (date) => date.getUTCDate()),
  getDayOfWeek: fromTimestamp("timestamp_to_day_of_week", (date) => date.getUTCDay()),
  getHours: {
    ...fromTimestamp("timestamp_to_hours", (date) => date.getUTCHours()),
    ...fromDuration("duration_to_hours", 3_600_000_000_000n),
  },
  getMinutes: {
    ...fromTimestamp("timestamp_to_minutes", (date) => date.getUTCMinutes()),
    ...fromDuration("duration_to_minutes", 60_000_000_000n),
  },
  getSeconds: {
    ...fromTimestamp(
      "timestamp_to_seconds",
      (date) => date.getUTCSeconds(),
      "timestamp_to_seconds_tz",
    ),
    ...fromDuration("duration_to_seconds", 1_000_000_000n),
  },
  getMilliseconds: {
    ...fromTimestamp("timestamp_to_milliseconds", (_, time) =>
      Math.floor(time.nanosOfSecond / 1_000_000),
    ),
    ...fromDuration("duration_to_milliseconds", 1_000_000n),
  },
});
