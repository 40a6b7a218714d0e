import { quote } from "@rookery/kube";

const SECOND = 1_000_000_000n;

export class Duration {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    this.nanos = nanos;
  }

  /** In seconds with decimals, as `string(duration)`. */
  toString(): string {
    const seconds = Number(this.nanos / SECOND) + Number(this.nanos % SECOND) / 1e9;
    return `${plainDecimal(seconds)}s`;
  }
}

/** A point in time with its original offset from UTC. */
export class Timestamp {
  readonly epochNanos: bigint;
  readonly offsetMinutes: number;

  constructor(epochNanos: bigint, offsetMinutes = 0) {
    this.epochNanos = epochNanos;
    this.offsetMinutes = offsetMinutes;
  }

  get epochSeconds(): bigint {
    const seconds = this.epochNanos / SECOND;
    return this.epochNanos % SECOND < 0n ? seconds - 1n : seconds;
  }

  get nanosOfSecond(): number {
    return Number(this.epochNanos - this.epochSeconds * SECOND);
  }

  /** The local time at an offset from UTC, for the getUTC… methods. */
  at(offsetMinutes: number): Date {
    return new Date((Number(this.epochSeconds) + offsetMinutes * 60) * 1000);
  }

  toString(): string {
    const local = this.at(this.offsetMinutes).toISOString().slice(0, 19);
    const fraction = String(this.nanosOfSecond).padStart(9, "0").replace(/0+$/, "");
    return `${local}${fraction && `.${fraction}`}${this.#zone()}`;
  }

  #zone(): string {
    if (this.offsetMinutes === 0) return "Z";
    const minutes = Math.abs(this.offsetMinutes);
    const pad = (n: number) => String(n).padStart(2, "0");
    const sign = this.offsetMinutes < 0 ? "-" : "+";
    return `${sign}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
  }
}

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(Z|[+-]\d{2}:\d{2})?$/;

/** As Go's time.Parse of RFC 3339; `localTime` makes a missing offset UTC. */
export function parseTimestamp(text: string, localTime = false): Timestamp | undefined {
  const match = RFC3339.exec(text);
  if (!match || (match[8] === undefined && !localTime)) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as NumberFields;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const offset = parseOffset(match[8] ?? "Z");
  if (offset === undefined) return undefined;
  const local = epochMillis([year, month, day, hour, minute, second]);
  const nanos = BigInt((match[7] ?? "").slice(0, 9).padEnd(9, "0"));
  return new Timestamp(BigInt(local / 1000 - offset * 60) * SECOND + nanos, offset);
}

/** Why a date-time is invalid, in the words of Go's time.Parse. */
export function localTimeProblem(text: string): string {
  const problem = `parsing time ${quote(text)} as "2006-01-02T15:04:05": `;
  if (text[10] !== "T") return `${problem}cannot parse ${quote(text.slice(10))} as "T"`;
  const rest = text.slice(19).replace(/^[.,][0-9]+/, "");
  return `${problem.slice(0, problem.indexOf(" as "))}: extra text: ${quote(rest)}`;
}

/** "2006-01-02" as midnight in UTC. */
export function parseDate(text: string): Timestamp | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
}

type NumberFields = [number, number, number, number, number, number];

function epochMillis([year, month, day, hour, minute, second]: NumberFields): number {
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
  return date.setUTCFullYear(year, month - 1, day);
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

function parseOffset(zone: string): number | undefined {
  if (zone === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 24 || minutes > 60) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** Never in exponent form. */
function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(9).replace(/\.?0+$/, "") : text;
}
