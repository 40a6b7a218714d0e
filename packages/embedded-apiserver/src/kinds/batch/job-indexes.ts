import { quote } from "@rookery/kube";

interface Interval {
  readonly first: number;
  readonly last: number;
}

/** The number of indexes in a text such as "1,3-5", or why the text is invalid. */
export function countIndexes(text: string, completions: number): number | string {
  let previous = -1;
  let total = 0;
  for (const part of text === "" ? [] : text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return interval;
    const { first, last } = interval;
    if (previous >= first) return nonIncreasing(previous, first);
    total += last - first + 1;
    previous = last;
  }
  return total;
}

function parseInterval(text: string, completions: number): Interval | string {
  const limits = text.split("-");
  if (limits.length > 2) {
    return `the fragment ${quote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const problem = limits.map((limit) => indexProblem(limit, completions)).find(Boolean);
  if (problem !== undefined) return problem;
  const [first = 0, last = first] = limits.map(Number);
  return limits.length > 1 && first >= last ? nonIncreasing(first, last) : { first, last };
}

function indexProblem(text: string, completions: number): string | undefined {
  if (!/^\+?\d+$/.test(text)) return `cannot convert string to integer for index: ${quote(text)}`;
  return Number(text) >= completions ? `too large index: ${quote(text)}` : undefined;
}

function nonIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}

/** The first index that is in both texts. Invalid intervals are ignored. */
export function firstOverlap(a: string, b: string, completions: number): number | undefined {
  const intervalsOf = (text: string) =>
    text
      .split(",")
      .map((part) => parseInterval(part, completions))
      .filter((interval) => typeof interval !== "string");
  const others = intervalsOf(b);
  for (const { first, last } of intervalsOf(a)) {
    const shared = others.find((other) => first <= other.last && other.first <= last);
    if (shared) return Math.max(first, shared.first);
  }
  return undefined;
}
