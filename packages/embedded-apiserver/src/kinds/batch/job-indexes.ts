import { quote } from "@rookery/kube";

/** Why a text such as "1,3-5" does not list indexes of a job. */
class IndexProblem extends Error {}

interface Interval {
  readonly first: number;
  readonly last: number;
}

/** How many indexes a text lists. Throws an IndexProblem where it is none, or not in order. */
export function countIndexes(text: string, completions: number): number {
  let previous: number | undefined;
  let total = 0;
  for (const interval of text === "" ? [] : text.split(",")) {
    const { first, last } = parseInterval(interval, completions);
    if (previous !== undefined && previous >= first) throw nonIncreasing(previous, first);
    total += last - first + 1;
    previous = last;
  }
  return total;
}

function parseInterval(text: string, completions: number): Interval {
  const limits = text.split("-");
  if (limits.length > 2) {
    throw new IndexProblem(
      `the fragment ${quote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  }
  const [low = "", high] = limits;
  const first = parseIndex(low, completions);
  if (high === undefined) return { first, last: first };
  const last = parseIndex(high, completions);
  if (first >= last) throw nonIncreasing(first, last);
  return { first, last };
}

function parseIndex(text: string, completions: number): number {
  if (!/^\+?\d+$/.test(text)) {
    throw new IndexProblem(`cannot convert string to integer for index: ${quote(text)}`);
  }
  const index = Number(text);
  if (index >= completions) throw new IndexProblem(`too large index: ${quote(text)}`);
  return index;
}

function nonIncreasing(previous: number, current: number): IndexProblem {
  return new IndexProblem(`non-increasing order, previous: ${previous}, current: ${current}`);
}

/** Runs a check of indexes: its problem, or undefined. */
export function indexProblem(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof IndexProblem) return error.message;
    throw error;
  }
}

/** The first index that two lists share; what cannot be read of them is left out. */
export function firstOverlap(a: string, b: string, completions: number): number | undefined {
  const intervalsOf = (text: string) =>
    text.split(",").flatMap((each) => {
      let interval: Interval | undefined;
      const problem = indexProblem(() => {
        interval = parseInterval(each, completions);
      });
      return problem === undefined && interval ? [interval] : [];
    });
  const others = intervalsOf(b);
  for (const { first, last } of intervalsOf(a)) {
    const shared = others.find((other) => first <= other.last && other.first <= last);
    if (shared) return Math.max(first, shared.first);
  }
  return undefined;
}
