import { ParseError } from "../errors.ts";
import { quote } from "../go/quote.ts";
import { durationToMilliseconds, parseDuration } from "./duration.ts";
import { timeZoneProblem } from "./time-zone.ts";

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Names of the values from `min` on. */
  readonly names?: readonly string[];
}

const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: "jan feb mar apr may jun jul aug sep oct nov dec".split(" ") },
  { min: 0, max: 6, names: "sun mon tue wed thu fri sat".split(" ") },
];

const descriptors: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};
const every = "@every ";

/** The values of a field, and whether it was a star. */
export interface CronField {
  readonly values: ReadonlySet<number>;
  readonly isStar: boolean;
}

/** Minute, hour, day of the month, month and day of the week; or an interval. */
export interface CronSchedule {
  /** The zone that the schedule itself names. */
  readonly zone?: string;
  readonly fields: readonly CronField[];
  readonly everyMs?: number;
}

class ScheduleProblem extends Error {}

/**
 * The problem of a schedule of five fields, or of a descriptor such as "@daily", in the words of
 * Kubernetes' library; undefined for a valid one.
 */
export function cronScheduleProblem(schedule: string): string | undefined {
  try {
    parseCronSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleProblem) return error.message;
    throw error;
  }
}

/** Throws for an invalid schedule. */
export function parseCronSchedule(schedule: string): CronSchedule {
  if (schedule === "") throw new ScheduleProblem("empty spec string");
  const { spec, zone } = splitZone(schedule);
  const parsed = spec.startsWith("@") ? parseDescriptor(spec) : { fields: parseFields(spec) };
  return { ...parsed, ...(zone !== undefined && { zone }) };
}

function parseFields(spec: string): CronField[] {
  const texts = spec.split(/[\s\u0085]+/).filter((text) => text !== "");
  if (texts.length !== fields.length) {
    throw new ScheduleProblem(
      `expected exactly ${fields.length} fields, found ${texts.length}: [${texts.join(" ")}]`,
    );
  }
  return fields.map((bounds, i) => parseField(texts[i] ?? "", bounds));
}

function splitZone(spec: string): { readonly spec: string; readonly zone?: string } {
  if (!/^(CRON_)?TZ=/.test(spec)) return { spec };
  const space = spec.indexOf(" ");
  const end = space < 0 ? spec.length : space;
  const zone = spec.slice(spec.indexOf("=") + 1, end);
  const problem = timeZoneProblem(zone);
  if (problem !== undefined) {
    throw new ScheduleProblem(`provided bad location ${zone}: ${problem}`);
  }
  return { spec: spec.slice(end).trim(), zone };
}

function parseDescriptor(descriptor: string): CronSchedule {
  const spec = Object.hasOwn(descriptors, descriptor) ? descriptors[descriptor] : undefined;
  if (spec !== undefined) return { fields: parseFields(spec) };
  if (!descriptor.startsWith(every)) {
    throw new ScheduleProblem(`unrecognized descriptor: ${descriptor}`);
  }
  try {
    const delay = durationToMilliseconds(parseDuration(descriptor.slice(every.length)));
    // In whole seconds, at least one.
    return { fields: [], everyMs: Math.max(1, Math.trunc(delay / 1000)) * 1000 };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new ScheduleProblem(`failed to parse duration ${descriptor}: ${error.reason}`);
  }
}

function parseField(text: string, bounds: Bounds): CronField {
  const ranges = text.split(",").filter((range) => range !== "");
  const parsed = ranges.map((range) => parseRange(range, bounds));
  const values = new Set(parsed.flatMap((range) => range.values));
  return { values, isStar: parsed.some(({ isStar }) => isStar) };
}

/** number | number "-" number, and a step after "/". */
function parseRange(text: string, bounds: Bounds) {
  const [range = "", ...steps] = text.split("/");
  const limits = range.split("-");
  const { start, end } = limitsOf(limits, text, bounds);
  if (steps.length > 1) throw new ScheduleProblem(`too many slashes: ${text}`);
  const step = steps[0] === undefined ? 1 : parseNumber(steps[0]);
  const last = steps.length === 1 && limits.length === 1 ? bounds.max : end;
  checkLimits({ start, end: last, step }, text, bounds);
  const values: number[] = [];
  for (let value = start; value <= last; value += step) values.push(value);
  return { values, isStar: ["*", "?"].includes(limits[0] ?? "") && step === 1 };
}

function limitsOf(limits: readonly string[], text: string, bounds: Bounds) {
  const [low = "", high] = limits;
  if (low === "*" || low === "?") return { start: bounds.min, end: bounds.max };
  const start = parseNumberOrName(low, bounds);
  if (limits.length > 2) throw new ScheduleProblem(`too many hyphens: ${text}`);
  return { start, end: high === undefined ? start : parseNumberOrName(high, bounds) };
}

function checkLimits(
  { start, end, step }: { start: number; end: number; step: number },
  text: string,
  { min, max }: Bounds,
): void {
  if (start < min) {
    throw new ScheduleProblem(`beginning of range (${start}) below minimum (${min}): ${text}`);
  }
  if (end > max) {
    throw new ScheduleProblem(`end of range (${end}) above maximum (${max}): ${text}`);
  }
  if (start > end) {
    throw new ScheduleProblem(
      `beginning of range (${start}) beyond end of range (${end}): ${text}`,
    );
  }
  if (step === 0) {
    throw new ScheduleProblem(`step of range should be a positive number: ${text}`);
  }
}

function parseNumberOrName(text: string, { min, names = [] }: Bounds): number {
  const named = names.indexOf(text.toLowerCase());
  return named < 0 ? parseNumber(text) : min + named;
}

function parseNumber(text: string): number {
  const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  const problem = Number.isNaN(number) ? "invalid syntax" : "value out of range";
  if (Number.isNaN(number) || Math.abs(number) >= 2 ** 63) {
    throw new ScheduleProblem(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${quote(text)}: ${problem}`,
    );
  }
  if (number < 0) throw new ScheduleProblem(`negative number (${number}) not allowed: ${text}`);
  return number;
}
