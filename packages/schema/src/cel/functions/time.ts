import type { Duration, Timestamp } from "../../time.ts";
import { DURATION, INT, STRING, TIMESTAMP } from "../cel-type.ts";
import { CelError } from "../values/cel-error.ts";
import type { Value } from "../values/value.ts";
import { type FunctionDeclaration, member, type Overload } from "./declare.ts";
import { offsetIn } from "./time-zone.ts";

type Read = (local: Date, time: Timestamp) => number;

const YEAR_START = (date: Date): number => Date.UTC(date.getUTCFullYear(), 0, 1);
const dayOfYear: Read = (date) => Math.floor((date.getTime() - YEAR_START(date)) / 86_400_000);

function fromTimestamp(id: string, idWithZone: string, read: Read): readonly Overload[] {
  return [
    member([id, [TIMESTAMP], INT], ([time]) => readAt(time as Timestamp, "UTC", read)),
    member([idWithZone, [TIMESTAMP, STRING], INT], ([time, zone]) =>
      readAt(time as Timestamp, zone as string, read),
    ),
  ];
}

function readAt(time: Timestamp, zone: string, read: Read): Value {
  const offset = offsetIn(zone, time);
  return offset instanceof CelError ? offset : BigInt(read(time.at(offset), time));
}

function fromDuration(id: string, unit: bigint): Overload {
  return member([id, [DURATION], INT], ([span]) => (span as Duration).nanos / unit);
}

/** The parts of timestamps and durations; timestamps are read in UTC unless a zone is given. */
export const TIME_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "getFullYear",
    overloads: fromTimestamp("timestamp_to_year", "timestamp_to_year_with_tz", (d) =>
      d.getUTCFullYear(),
    ),
  },
  {
    name: "getMonth",
    overloads: fromTimestamp("timestamp_to_month", "timestamp_to_month_with_tz", (d) =>
      d.getUTCMonth(),
    ),
  },
  {
    name: "getDayOfYear",
    overloads: fromTimestamp(
      "timestamp_to_day_of_year",
      "timestamp_to_day_of_year_with_tz",
      dayOfYear,
    ),
  },
  {
    name: "getDayOfMonth",
    overloads: fromTimestamp(
      "timestamp_to_day_of_month",
      "timestamp_to_day_of_month_with_tz",
      (d) => d.getUTCDate() - 1,
    ),
  },
  {
    name: "getDate",
    overloads: fromTimestamp(
      "timestamp_to_day_of_month_1_based",
      "timestamp_to_day_of_month_1_based_with_tz",
      (d) => d.getUTCDate(),
    ),
  },
  {
    name: "getDayOfWeek",
    overloads: fromTimestamp("timestamp_to_day_of_week", "timestamp_to_day_of_week_with_tz", (d) =>
      d.getUTCDay(),
    ),
  },
  {
    name: "getHours",
    overloads: [
      ...fromTimestamp("timestamp_to_hours", "timestamp_to_hours_with_tz", (d) => d.getUTCHours()),
      fromDuration("duration_to_hours", 3_600_000_000_000n),
    ],
  },
  {
    name: "getMinutes",
    overloads: [
      ...fromTimestamp("timestamp_to_minutes", "timestamp_to_minutes_with_tz", (d) =>
        d.getUTCMinutes(),
      ),
      fromDuration("duration_to_minutes", 60_000_000_000n),
    ],
  },
  {
    name: "getSeconds",
    overloads: [
      ...fromTimestamp("timestamp_to_seconds", "timestamp_to_seconds_tz", (d) => d.getUTCSeconds()),
      fromDuration("duration_to_seconds", 1_000_000_000n),
    ],
  },
  {
    name: "getMilliseconds",
    overloads: [
      ...fromTimestamp(
        "timestamp_to_milliseconds",
        "timestamp_to_milliseconds_with_tz",
        (_, time) => Math.floor(time.nanosOfSecond / 1_000_000),
      ),
      fromDuration("duration_to_milliseconds", 1_000_000n),
    ],
  },
];
