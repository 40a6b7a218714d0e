import type { Timestamp } from "../../time.ts";
import { CelError } from "../values/value.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes east of UTC of a zone by its name ("Europe/Berlin") or offset ("-08:00") at a time. */
export function offsetIn(zone: string, time: Timestamp): number | CelError {
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
