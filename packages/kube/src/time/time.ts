import { ParseError } from "../errors.ts";
import { parseLayout } from "./layout.ts";

/** A metav1.Time: RFC 3339 in UTC, to the second. */
export type Time = string;

/** A metav1.MicroTime: RFC 3339 in UTC, with exactly six decimals. */
export type MicroTime = string;

/** Tests pass a fixed time. */
export type Clock = () => Date;

/** Truncates to the second. */
export function formatTime(date: Date): Time {
  const second = Math.floor(date.getTime() / 1000);
  // Cached: a request formats the current time several times.
  if (second !== lastSecond) {
    lastTime = `${date.toISOString().slice(0, -5)}Z`;
    lastSecond = second;
  }
  return lastTime;
}

let lastSecond = Number.NaN;
let lastTime = "";

/** A Date has milliseconds, so the last three digits are zeros. */
export function formatMicroTime(date: Date): MicroTime {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

/** With any offset and fraction, as in Go. Throws a ParseError. */
export function parseTime(text: Time): Date {
  return parse(text, ["2006", "-01", "-02", "T15", ":04", ":05", "Z07:00"]);
}

/** Requires six decimals. Throws a ParseError. */
export function parseMicroTime(text: MicroTime): Date {
  return parse(text, ["2006", "-01", "-02", "T15", ":04", ":05", ".000000", "Z07:00"]);
}

function parse(text: string, layout: readonly string[]): Date {
  const result = parseLayout(text, layout);
  if (typeof result === "string") throw new ParseError("time", text, result);
  return result;
}
