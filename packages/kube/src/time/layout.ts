import { quoteBytes } from "../go/quote.ts";

interface Fields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
  offsetMinutes: number;
}

/** The number of characters read, a field that is out of range, or no match. */
type Outcome = { readonly length: number } | { readonly outOfRange: string } | undefined;

type Element = (rest: string, fields: Fields, fractionNext: boolean) => Outcome;

const elements: ReadonlyMap<string, Element> = new Map<string, Element>([
  ["2006", readYear],
  ["01", number("month", 1, 12)],
  ["02", number("day", 0, 99)],
  ["15", number("hour", 0, 23)],
  ["04", number("minute", 0, 59)],
  ["05", readSecond],
  [".000000", readMicroseconds],
  ["Z07:00", readZone],
]);

/**
 * Reads a time by the elements of a layout, each with its leading separator. Returns the time, or
 * the reason in the words of Go's time.Parse.
 */
export function parseLayout(text: string, layout: readonly string[]): Date | string {
  const fields = emptyFields();
  let at = 0;
  for (const [index, part] of layout.entries()) {
    const separator = /^[-T:]/.exec(part)?.[0] ?? "";
    if (!text.startsWith(separator, at)) return cannotParse(text, layout, [at, separator]);
    at += separator.length;
    const element = part.slice(separator.length);
    const fractionNext = layout[index + 1] === ".000000";
    const outcome = elements.get(element)?.(text.slice(at), fields, fractionNext);
    if (outcome === undefined) return cannotParse(text, layout, [at, element]);
    if ("outOfRange" in outcome) return outOfRange(text, outcome.outOfRange);
    at += outcome.length;
  }
  if (at === text.length) return toDate(fields) ?? outOfRange(text, "day");
  return `parsing time ${quoteBytes(text)}: extra text: ${quoteBytes(text.slice(at))}`;
}

function emptyFields(): Fields {
  const date = { year: 0, month: 1, day: 1 };
  return { ...date, hour: 0, minute: 0, second: 0, millisecond: 0, offsetMinutes: 0 };
}

function cannotParse(
  text: string,
  layout: readonly string[],
  [at, element]: readonly [number, string],
): string {
  const whole = `parsing time ${quoteBytes(text)} as ${quoteBytes(layout.join(""))}`;
  return `${whole}: cannot parse ${quoteBytes(text.slice(at))} as ${quoteBytes(element)}`;
}

function outOfRange(text: string, what: string): string {
  return `parsing time ${quoteBytes(text)}: ${what} out of range`;
}

function readYear(rest: string, fields: Fields): Outcome {
  const digits = /^[0-9]{4}/.exec(rest)?.[0];
  if (digits === undefined) return undefined;
  fields.year = Number(digits);
  return { length: 4 };
}

/** Two digits; an hour may have one, as in Go and Kubernetes. */
function number(field: "month" | "day" | "hour" | "minute" | "second", min: number, max: number) {
  const pattern = field === "hour" ? /^[0-9]{1,2}/ : /^[0-9]{2}/;
  return (rest: string, fields: Fields): Outcome => {
    const digits = pattern.exec(rest)?.[0];
    if (digits === undefined) return undefined;
    fields[field] = Number(digits);
    if (fields[field] < min || fields[field] > max) return { outOfRange: field };
    return { length: digits.length };
  };
}

const readWholeSecond = number("second", 0, 59);

/** Seconds may have a fraction that the layout lacks. */
function readSecond(rest: string, fields: Fields, fractionNext: boolean): Outcome {
  const outcome = readWholeSecond(rest, fields);
  if (outcome === undefined || "outOfRange" in outcome || fractionNext) return outcome;
  const fraction = /^[.,]([0-9]+)/.exec(rest.slice(2));
  if (fraction === null) return outcome;
  fields.millisecond = toMilliseconds(fraction[1] ?? "");
  return { length: outcome.length + fraction[0].length };
}

function readMicroseconds(rest: string, fields: Fields): Outcome {
  const digits = /^[.,]([0-9]{6})/.exec(rest)?.[1];
  if (digits === undefined) return undefined;
  fields.millisecond = toMilliseconds(digits);
  return { length: 7 };
}

function toMilliseconds(fraction: string): number {
  return Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** Offsets of 24 hours and of 60 minutes are valid, as in Go. */
function readZone(rest: string, fields: Fields): Outcome {
  if (rest.startsWith("Z")) return { length: 1 };
  const match = /^([+-])([0-9]{2}):([0-9]{2})/.exec(rest);
  if (match === null) return undefined;
  const [, sign, hours, minutes] = match;
  if (Number(hours) > 24) return { outOfRange: "time zone offset hour" };
  if (Number(minutes) > 60) return { outOfRange: "time zone offset minute" };
  fields.offsetMinutes = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  return { length: 6 };
}

/** Undefined for a day that the month lacks. */
function toDate(fields: Fields): Date | undefined {
  const date = new Date(0);
  date.setUTCFullYear(fields.year, fields.month - 1, fields.day);
  if (date.getUTCMonth() !== fields.month - 1 || fields.day < 1) return undefined;
  date.setUTCHours(fields.hour, fields.minute - fields.offsetMinutes, fields.second);
  date.setUTCMilliseconds(fields.millisecond);
  return date;
}
