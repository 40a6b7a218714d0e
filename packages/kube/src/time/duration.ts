import { ParseError } from "../errors.ts";
import { quoteBytes } from "../go/quote.ts";

/** Nanoseconds, as in Go's time.Duration. */
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

/** One number with its unit, cut out of a duration. */
interface Term {
  readonly integer: string;
  readonly fraction: string;
  readonly unit: string;
}

/**
 * Reads "1h15m30.918s" as Go's time.ParseDuration does; this is also the JSON form of a
 * metav1.Duration. Throws a ParseError with Go's reason.
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

/** The fraction in floating point, digits past an int64 ignored, to round where Go rounds. */
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

/** Writes a duration as Go's Duration.String does: "1h15m30.918s", "1.5ms", "0s". */
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

/** A duration in milliseconds, fractions kept: what timers take. */
export function durationToMilliseconds(duration: Duration): number {
  return Number(duration) / 1_000_000;
}

/** The duration of so many milliseconds, rounded to the nanosecond. */
export function durationFromMilliseconds(milliseconds: number): Duration {
  return BigInt(Math.round(milliseconds * 1_000_000));
}
