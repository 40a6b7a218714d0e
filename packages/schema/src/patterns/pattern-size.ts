interface Group {
  size: number;
  /** The size of what stands last in it: what a repetition repeats. */
  last: number;
}

// None of these can fail after reading far, so that the whole takes one pass.
const CLASS = /\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\]?/sy;
const ESCAPE = /\\(?:[pPx]\{[^}\\]*\}|.)/sy;
const OPENING = /\((?:\?(?:P?<\w+>|[a-zA-Z-]*[:)]))?/y;
/** Longer ones are too large in any case. */
const MAX_TEXT = 50_000;
/** More is refused when the pattern is compiled. */
const MAX_TIMES = 1001;
const REPETITION = /\{(\d+)(?:,(\d*))?\}/y;

/**
 * How many instructions a pattern becomes, about: `x{1000}` is a thousand times x. The time that it
 * takes to compile grows with it, and the time that a match takes with it times the text.
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
