/** A local time, as the milliseconds that it would be in UTC. */
export type WallTime = number;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const numeric = "numeric" as const;
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  formats.set(zone, format);
  return format;
}

/** The wall time of a zone at a time. */
export function wallTime(time: number, zone: string): WallTime {
  const parts = formatOf(zone).formatToParts(time);
  const [year, month, day, hour, minute, second] = (
    ["year", "month", "day", "hour", "minute", "second"] as const
  ).map((type) => Number(parts.find((part) => part.type === type)?.value));
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

/** How far clocks of a zone are ahead of UTC at a time. */
export function offsetAt(time: number, zone: string): number {
  return wallTime(time, zone) - Math.floor(time / 1000) * 1000;
}

/** When clocks of a zone show a time: once, or twice or never where they are put back or forward. */
export function timesOf(wall: WallTime, zone: string): number[] {
  const day = 24 * 60 * 60 * 1000;
  const offsets = new Set([offsetAt(wall - day, zone), offsetAt(wall + day, zone)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((time) => wallTime(time, zone) === wall)
    .toSorted((a, b) => a - b);
}

/** RFC 3339 to the second, with the offset of the zone. */
export function formatZoned(time: number, zone: string): string {
  const wall = wallTime(time, zone);
  const minutes = Math.round((wall - time) / 60_000);
  const pad = (count: number) => String(count).padStart(2, "0");
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? "-" : "+"}${pad(Math.trunc(size / 60))}:${pad(size % 60)}`;
  return `${new Date(wall).toISOString().slice(0, 19)}${minutes === 0 ? "Z" : offset}`;
}
