import type { Duration, Timestamp } from "../../time.ts";
import { CelError, type Value } from "../values/value.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/** The offset of a zone such as "Europe/Berlin" or "-08:00" at a time, in minutes east of UTC. */
function offsetIn(zone: string, time: Timestamp): number | CelError {
  if (zone === "UTC" || zone === "") return 0;
  const colon = zone.indexOf(":");
  return colon === -1 ? offsetOfName(zone, time) : offsetOfText(zone, colon);
}

function offsetOfText(zone: string, colon: number): number | CelError {
  const hours = integer(zone.slice(0, colon));
  if (hours instanceof CelError) return hours;
  const minutes = integer(zone.slice(colon + 1));
  if (minutes instanceof CelError) return minutes;
  return zone.startsWith("-") ? hours * 60 - minutes : hours * 60 + minutes;
}

function integer(text: string): number | CelError {
  if (/^[+-]?[0-9]+$/.test(text)) return Number(text);
  return new CelError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function offsetOfName(zone: string, time: Timestamp): number | CelError {
  const format = formatFor(zone);
  if (format instanceof CelError) return format;
  const name = format.formatToParts(time.at(0)).find((part) => part.type === "timeZoneName")?.value;
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name ?? "");
  if (!match?.[1]) return 0;
  return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

function formatFor(zone: string): Intl.DateTimeFormat | CelError {
  const cached = formats.get(zone);
  if (cached) return cached;
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
    formats.set(zone, format);
    return format;
  } catch {
    return new CelError(`unknown time zone ${zone}`);
  }
}

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
