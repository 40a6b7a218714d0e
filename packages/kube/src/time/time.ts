import { ParseError } from "../errors.ts";
import { parseLayout } from "./layout.ts";

/** A metav1.Time in JSON: RFC 3339 in UTC, to the second. */
export type Time = string;

/** A metav1.MicroTime in JSON: RFC 3339 in UTC, with exactly six decimals. */
export type MicroTime = string;

/** Tells the time; tests pass one that stands still. */
export type Clock = () => Date;

/** Writes a metav1.Time: to the second, the rest cut off. */
export function formatTime(date: Date): Time {
  const second = Math.floor(date.getTime() / 1000);
  // Most are told of now, several times a request.
  if (second !== lastSecond) {
    lastTime = `${date.toISOString().slice(0, -5)}Z`;
    lastSecond = second;
  }
  return lastTime;
}

let lastSecond = Number.NaN;
let lastTime = "";

/** Writes a metav1.MicroTime. A Date knows milliseconds, so the last three digits are zeros. */
export function formatMicroTime(date: Date): MicroTime {
  return `${date.toISOString().slice(0, -1)}000Z`;
}

/** Reads a metav1.Time with any offset and fraction, as Go does. Throws a ParseError. */
export function parseTime(text: Time): Date {
  return parse(text, ["2006", "-01", "-02", "T15", ":04", ":05", "Z07:00"]);
}

/** Reads a metav1.MicroTime: six decimals are required. Throws a ParseError. */
export function parseMicroTime(text: MicroTime): Date {
  return parse(text, ["2006", "-01", "-02", "T15", ":04", ":05", ".000000", "Z07:00"]);
}

function parse(text: string, layout: readonly string[]): Date {
  const result = parseLayout(text, layout);
  if (typeof result === "string") throw new ParseError("time", text, result);
  return result;
}
