const secondsPerMinute = 60;
const minutesPerHour = 60;
const hoursPerDay = 24;
const daysPerYear = 365;

/** How long ago something was, as kubectl shows it: "5m30s", "3d4h"; "<unknown>" where it is not known. */
export function timeSince(time: string | null | undefined, now: Date): string {
  if (time === undefined || time === null || time === "") return "<unknown>";
  return humanDuration(now.getTime() - Date.parse(time));
}

/** A duration with at most two units, the coarser the longer it is (Go: duration.HumanDuration). */
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
