import { ParseError, parseDuration, quote } from "@rookery/kube";
import { timeZoneProblem } from "./time-zone.ts";

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** Of which each stands for its place, from `min` on. */
  readonly names?: readonly string[];
}

const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: "jan feb mar apr may jun jul aug sep oct nov dec".split(" ") },
  { min: 0, max: 6, names: "sun mon tue wed thu fri sat".split(" ") },
];

const descriptors = [
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
];
const every = "@every ";

/** Why a text is no schedule. */
class ScheduleProblem extends Error {}

/**
 * What is wrong with a schedule of five fields, or a descriptor such as "@daily", in the words of
 * the library that Kubernetes reads them with; undefined where nothing is.
 */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    checkSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleProblem) return error.message;
    throw error;
  }
}

function checkSchedule(schedule: string): void {
  if (schedule === "") throw new ScheduleProblem("empty spec string");
  const spec = withoutZone(schedule);
  if (spec.startsWith("@")) checkDescriptor(spec);
  else checkFields(spec);
}

function checkFields(spec: string): void {
  const texts = spec.split(/[\s\u0085]+/).filter((text) => text !== "");
  if (texts.length !== fields.length) {
    throw new ScheduleProblem(
      `expected exactly ${fields.length} fields, found ${texts.length}: [${texts.join(" ")}]`,
    );
  }
  for (const [i, bounds] of fields.entries()) checkField(texts[i] ?? "", bounds);
}

function withoutZone(spec: string): string {
  if (!/^(CRON_)?TZ=/.test(spec)) return spec;
  const space = spec.indexOf(" ");
  const end = space < 0 ? spec.length : space;
  const zone = spec.slice(spec.indexOf("=") + 1, end);
  const problem = timeZoneProblem(zone);
  if (problem !== undefined) {
    throw new ScheduleProblem(`provided bad location ${zone}: ${problem}`);
  }
  return spec.slice(end).trim();
}

function checkDescriptor(descriptor: string): void {
  if (descriptors.includes(descriptor)) return;
  if (!descriptor.startsWith(every)) {
    throw new ScheduleProblem(`unrecognized descriptor: ${descriptor}`);
  }
  try {
    parseDuration(descriptor.slice(every.length));
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new ScheduleProblem(`failed to parse duration ${descriptor}: ${error.reason}`);
  }
}

function checkField(text: string, bounds: Bounds): void {
  for (const range of text.split(",")) if (range !== "") checkRange(range, bounds);
}

/** number | number "-" number, and a step after "/". */
function checkRange(text: string, bounds: Bounds): void {
  const [range = "", ...steps] = text.split("/");
  const limits = range.split("-");
  const { start, end } = limitsOf(limits, text, bounds);
  if (steps.length > 1) throw new ScheduleProblem(`too many slashes: ${text}`);
  const step = steps[0] === undefined ? 1 : parseNumber(steps[0]);
  const last = steps.length === 1 && limits.length === 1 ? bounds.max : end;
  checkLimits({ start, end: last, step }, text, bounds);
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
