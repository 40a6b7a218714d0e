import { ParseError } from "../errors.ts";
import { quoteBytes } from "../go/quote.ts";

const secondsPerMinute = 60;
const minutesPerHour = 60;
const hoursPerDay = 24;
const daysPerYear = 365;

/** The age of a time as kubectl shows it: "5m30s", "3d4h"; "<unknown>" without a time. */
export function timeSince(time: string | null | undefined, now: Date): string {
  if (time === undefined || time === null || time === "") return "<unknown>";
  return humanDuration(now.getTime() - Date.parse(time));
}

/** At most two units, coarser for longer durations (duration.HumanDuration). */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 2 * secondsPerMinute) return `${seconds}s`;
  const minutes = Math.trunc(seconds / secondsPerMinute);
  if (minutes < 10) return twoUnits(seconds, secondsPerMinute, ["m", "s"]);
  if (minutes < 3 * minutesPerHour) return `${minutes}m`;
  return humanHours(minutes);
}

function humanHours(minutes: number): string {
  const hours = Math.trunc(minutes / minutesPerHour);
  if (hours < 8) return twoUnits(minutes, minutesPerHour, ["h", "m"]);
  if (hours < 2 * hoursPerDay) return `${hours}h`;
  if (hours < 8 * hoursPerDay) return twoUnits(hours, hoursPerDay, ["d", "h"]);
  const days = Math.trunc(hours / hoursPerDay);
  if (days < 2 * daysPerYear) return `${days}d`;
  if (days < 8 * daysPerYear) return twoUnits(days, daysPerYear, ["y", "d"]);
  return `${Math.trunc(days / daysPerYear)}y`;
}

function twoUnits(count: number, size: number, [large, small]: readonly [string, string]): string {
  const rest = count % size;
  return `${Math.trunc(count / size)}${large}${rest === 0 ? "" : `${rest}${small}`}`;
}

export type Duration = bigint;

const units: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n],
  ["μs", 1_000n],
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

const limit = 2n ** 63n;

interface Term {
  readonly integer: string;
  readonly fraction: string;
  readonly unit: string;
}

/**
 * Reads "1h15m30.918s" as Go's time.ParseDuration does; also the JSON form of a metav1.Duration.
 * Throws a ParseError with Go's reason.
 */
export function parseDuration(text: string): Duration {
  const negative = text.startsWith("-");
  const rest = negative || text.startsWith("+") ? text.slice(1) : text;
  if (rest === "0") return 0n;
  if (rest === "") throw invalid(text);
  let total = 0n;
  for (let at = 0; at < rest.length; ) {
    const term = readTerm(rest, at, text);
    total += termValue(term, text);
    if (total > limit) throw invalid(text);
    at += term.length;
  }
  if (!negative && total === limit) throw invalid(text);
  return negative ? -total : total;
}

function readTerm(rest: string, at: number, text: string): Term & { length: number } {
  const pattern = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y;
  pattern.lastIndex = at;
  const [matched = "", integer = "", fraction = "", unit = ""] = pattern.exec(rest) ?? [];
  if (integer === "" && fraction === "") throw invalid(text);
  if (integer !== "" && BigInt(integer) > limit) throw invalid(text);
  return { integer, fraction, unit, length: matched.length };
}

function termValue({ integer, fraction, unit }: Term, text: string): Duration {
  if (unit === "") throw invalid(text, "missing unit in duration");
  const scale = units.get(unit);
  if (scale === undefined) throw invalid(text, `unknown unit ${quoteBytes(unit)} in duration`);
  const value = BigInt(integer || "0") * scale;
  if (value > limit) throw invalid(text);
  const total = value + fractionOf(fraction, scale);
  if (total > limit) throw invalid(text);
  return total;
}

/** In floating point, without digits past an int64, to round as Go does. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (value > (limit - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > limit) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

function invalid(text: string, problem = "invalid duration"): ParseError {
  return new ParseError("duration", text, `time: ${problem} ${quoteBytes(text)}`);
}

/** As Go's Duration.String: "1h15m30.918s", "1.5ms", "0s". */
export function formatDuration(duration: Duration): string {
  const sign = duration < 0n ? "-" : "";
  const value = duration < 0n ? -duration : duration;
  if (value === 0n) return "0s";
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${decimal(value, 3)}µs`;
  if (value < 1_000_000_000n) return `${sign}${decimal(value, 6)}ms`;
  const minutes = value / 60_000_000_000n;
  const seconds = `${decimal(value % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** `value / 10^places` without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  const integer = digits.slice(0, -places);
  return fraction === "" ? integer : `${integer}.${fraction}`;
}

/** Keeps fractions. */
export function durationToMilliseconds(duration: Duration): number {
  return Number(duration) / 1_000_000;
}

/** Rounded to the nanosecond. */
export function durationFromMilliseconds(milliseconds: number): Duration {
  return BigInt(Math.round(milliseconds * 1_000_000));
}
