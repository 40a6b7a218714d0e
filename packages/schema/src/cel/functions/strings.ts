import type { Meter } from "../meter.ts";
import { showValue } from "../values/show.ts";
import { CelError, type CelList, codePointCount, type Value } from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import {
  replaceText,
  splitText,
  toCodePointIndex,
  toUtf16Index,
  trimSpace,
} from "./code-points.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";
import { formatString } from "./string-format.ts";

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** The index may be one past the end. */
function positionIn(text: string, index: bigint): number | undefined {
  return toUtf16Index(text, Number(index));
}

function charAt([text, index]: [string, bigint]): Value {
  const position = positionIn(text, index);
  if (position === undefined) return outOfRange(index);
  const code = text.codePointAt(position);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function indexOf([text, search, start = 0n]: [string, string, bigint?]): Value {
  return search === "" ? start : indexFrom(text, start, (at) => text.indexOf(search, at));
}

function lastIndexOf([text, search, start]: [string, string, bigint?]): Value {
  if (start !== undefined) {
    return search === "" ? start : indexFrom(text, start, (at) => text.lastIndexOf(search, at));
  }
  const position = search === "" ? text.length : text.lastIndexOf(search);
  return BigInt(toCodePointIndex(text, position));
}

/** Searches from a code point index, and returns a code point index. */
function indexFrom(text: string, start: bigint, search: (at: number) => number): Value {
  if (start < 0n) return outOfRange(start);
  const position = positionIn(text, start);
  if (position === undefined || position >= text.length) return -1n;
  return BigInt(toCodePointIndex(text, search(position)));
}

function substring([text, start, to]: [string, bigint, bigint?]): Value {
  const end = to ?? BigInt(codePointCount(text));
  if (to !== undefined && start > end) {
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  const first = positionIn(text, start);
  if (first === undefined) return outOfRange(start);
  const last = positionIn(text, end);
  return last === undefined ? outOfRange(end) : text.slice(first, last);
}

function replace(
  [text, search, by, limit = -1n]: [string, string, string, bigint?],
  meter: Meter,
): Value {
  const times = search === "" ? text.length + 1 : text.length / search.length;
  meter.work(text.length + times * by.length);
  return replaceText(text, search, [by, Number(limit)]);
}

function split([text, separator, limit = -1n]: [string, string, bigint?]): Value {
  return new ValueList(splitText(text, separator, Number(limit)));
}

function join([list, separator = ""]: [CelList, string?], meter: Meter): Value {
  const parts: string[] = [];
  for (const element of list) {
    if (typeof element !== "string")
      return new CelError(`join: invalid input: ${showValue(element)}`);
    meter.work(element.length + separator.length);
    parts.push(element);
  }
  return parts.join(separator);
}

const QUOTED: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

const QUOTABLE = new RegExp(`[${Object.keys(QUOTED).join("").replace("\\", "\\\\")}]`, "g");

function quote([text]: [string]): Value {
  const escaped = text.toWellFormed().replace(QUOTABLE, (c) => QUOTED[c] ?? c);
  return `"${escaped}"`;
}

/** The strings extension in its version 2, which is what kube-apiserver 1.34 has. */
export const STRING_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions({
  charAt: { "string_char_at_int: string.(int) -> string": charAt },
  indexOf: {
    "string_index_of_string: string.(string) -> int": indexOf,
    "string_index_of_string_int: string.(string, int) -> int": indexOf,
  },
  lastIndexOf: {
    "string_last_index_of_string: string.(string) -> int": lastIndexOf,
    "string_last_index_of_string_int: string.(string, int) -> int": lastIndexOf,
  },
  lowerAscii: {
    "string_lower_ascii: string.() -> string": ([text]: [string]) =>
      text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
  },
  replace: {
    "string_replace_string_string: string.(string, string) -> string": replace,
    "string_replace_string_string_int: string.(string, string, int) -> string": replace,
  },
  split: {
    "string_split_string: string.(string) -> list(string)": split,
    "string_split_string_int: string.(string, int) -> list(string)": split,
  },
  substring: {
    "string_substring_int: string.(int) -> string": substring,
    "string_substring_int_int: string.(int, int) -> string": substring,
  },
  trim: { "string_trim: string.() -> string": ([text]: [string]) => trimSpace(text) },
  upperAscii: {
    "string_upper_ascii: string.() -> string": ([text]: [string]) =>
      text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
  },
  format: { "string_format: string.(list(dyn)) -> string": formatString },
  "strings.quote": { "strings_quote: (string) -> string": quote },
  join: {
    "list_join: list(string).() -> string": join,
    "list_join_string: list(string).(string) -> string": join,
  },
});
