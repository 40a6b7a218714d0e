import { messageOf } from "@rookery/errors";
import { RE2JS } from "re2js";

interface Group {
  size: number;
  /** The size of the last element, which a repetition repeats. */
  last: number;
}

// None backtracks after a long match, so the scan takes one pass.
const CLASS = /\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\]?/sy;
const ESCAPE = /\\(?:[pPx]\{[^}\\]*\}|.)/sy;
const OPENING = /\((?:\?(?:P?<\w+>|[a-zA-Z-]*[:)]))?/y;
/** Longer patterns are too large in any case. */
const MAX_TEXT = 50_000;
/** Compilation rejects more. */
const MAX_TIMES = 1001;
const REPETITION = /\{(\d+)(?:,(\d*))?\}/y;

/**
 * The approximate number of instructions of a pattern: `x{1000}` is a thousand times x. Compile
 * time grows with it, and match time with it times the text.
 */
export function patternSize(text: string): number {
  if (text.length > MAX_TEXT) return text.length;
  const outer: Group[] = [];
  let group: Group = { size: 0, last: 0 };
  const add = (size: number): void => {
    group = { size: group.size + size, last: size };
  };
  const repeat = (times: number): void => {
    const last = group.last * Math.max(times, 1) + 1;
    group = { size: group.size - group.last + last, last };
  };
  for (let at = 0; at < text.length; ) {
    const [kind, match] = next(text, at);
    at += match[0].length;
    if (kind === "open" && !match[0].endsWith(")")) {
      outer.push(group);
      group = { size: 0, last: 0 };
    } else if (kind === "close") {
      const { size } = group;
      group = outer.pop() ?? { size: 0, last: 0 };
      add(size + 2);
    } else if (kind === "repeat") repeat(timesOf(match));
    else if (kind === "atom") add(1);
  }
  return outer.reduce((sum, { size }) => sum + size, group.size);
}

type Kind = "atom" | "open" | "close" | "repeat";
type Match = readonly (string | undefined)[] & { readonly 0: string };

function next(text: string, at: number): readonly [Kind, Match] {
  const rules = [
    ["atom", CLASS],
    ["atom", ESCAPE],
    ["open", OPENING],
    ["repeat", REPETITION],
  ] as const;
  for (const [kind, rule] of rules) {
    rule.lastIndex = at;
    const match = rule.exec(text);
    if (match) return [kind, match];
  }
  const char = text.charAt(at);
  if (char === ")") return ["close", [char]];
  return ["*+?".includes(char) ? "repeat" : "atom", [char]];
}

function timesOf([, least, most]: Match): number {
  const times = Math.max(
    Number(least ?? 1),
    Number(most ?? 0),
    most === "" ? Number(least) + 1 : 0,
  );
  return Math.min(times, MAX_TIMES);
}

/** Takes a tenth of a second to compile. */
const MAX_SIZE = 20_000;
/** A match cannot be interrupted; this many steps take seconds at worst. */
const MAX_STEPS = 50_000_000;

/** An RE2 regular expression, compiled on first use. */
export class Pattern {
  readonly text: string;
  /** The approximate number of instructions. */
  readonly size: number;
  #compiled: RE2JS | string | undefined;

  constructor(text: string) {
    this.text = text;
    this.size = patternSize(text);
  }

  /** The compile error in Go's words, or "". */
  get problem(): string {
    return typeof this.#program === "string" ? this.#program : "";
  }

  /** Whether a match would take too long to try. */
  isTooMuchFor(text: string): boolean {
    return this.size * text.length > MAX_STEPS;
  }

  /** False for an invalid pattern. */
  test(text: string): boolean {
    const program = this.#program;
    return typeof program !== "string" && program.test(text);
  }

  /** Finds matches on demand. */
  *matches(text: string): Generator<string> {
    const program = this.#program;
    if (typeof program === "string") return;
    const matcher = program.matcher(text);
    while (matcher.find()) yield matcher.group() ?? "";
  }

  get #program(): RE2JS | string {
    this.#compiled ??= this.size > MAX_SIZE ? "expression too large" : compile(this.text);
    return this.#compiled;
  }
}

function compile(text: string): RE2JS | string {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    return messageOf(error);
  }
}
