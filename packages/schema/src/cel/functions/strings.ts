import { DYN, INT, listOf, STRING } from "../cel-type.ts";
import type { Meter } from "../meter.ts";
import { CelError } from "../values/cel-error.ts";
import type { CelList } from "../values/cel-list.ts";
import { showValue } from "../values/show.ts";
import { codePointCount, type Value } from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import {
  replaceText,
  splitText,
  toCodePointIndex,
  toUtf16Index,
  trimSpace,
} from "./code-points.ts";
import { type FunctionDeclaration, type Implementation, member, overload } from "./declare.ts";
import { formatString } from "./string-format.ts";

const LIST_OF_STRINGS = listOf(STRING);

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** The UTF-16 index of a code point that may be the one past the end. */
function positionIn(text: string, index: bigint): number | undefined {
  return toUtf16Index(text, Number(index));
}

const charAt: Implementation = ([value, at]) => {
  const [text, index] = [value as string, at as bigint];
  const position = positionIn(text, index);
  if (position === undefined) return outOfRange(index);
  const code = text.codePointAt(position);
  return code === undefined ? "" : String.fromCodePoint(code);
};

const indexOf: Implementation = ([value, part, from = 0n]) => {
  const [text, search, start] = [value as string, part as string, from as bigint];
  if (search === "") return start;
  if (start < 0n) return outOfRange(start);
  const position = positionIn(text, start);
  if (position === undefined || position >= text.length) return -1n;
  return BigInt(toCodePointIndex(text, text.indexOf(search, position)));
};

const lastIndexOf: Implementation = ([value, part, from]) => {
  const [text, search] = [value as string, part as string];
  if (from === undefined) {
    const position = search === "" ? text.length : text.lastIndexOf(search);
    return BigInt(toCodePointIndex(text, position));
  }
  const start = from as bigint;
  if (search === "") return start;
  if (start < 0n) return outOfRange(start);
  const position = positionIn(text, start);
  if (position === undefined || position >= text.length) return -1n;
  return BigInt(toCodePointIndex(text, text.lastIndexOf(search, position)));
};

const substring: Implementation = ([value, from, to]) => {
  const [text, start] = [value as string, from as bigint];
  const end = (to as bigint | undefined) ?? BigInt(codePointCount(text));
  if (to !== undefined && start > end) {
    return new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  }
  const first = positionIn(text, start);
  if (first === undefined) return outOfRange(start);
  const last = positionIn(text, end);
  return last === undefined ? outOfRange(end) : text.slice(first, last);
};

const replace: Implementation = ([value, old, by, limit = -1n], meter) => {
  const [text, search, replacement] = [value as string, old as string, by as string];
  const times = search === "" ? text.length + 1 : text.length / search.length;
  meter.work(text.length + times * replacement.length);
  return replaceText(text, search, [replacement, Number(limit)]);
};

const split: Implementation = ([value, separator, limit = -1n]) =>
  new ValueList(splitText(value as string, separator as string, Number(limit)));

const join: Implementation = ([value, separator = ""], meter) => {
  const parts: string[] = [];
  for (const element of value as CelList) {
    if (typeof element !== "string")
      return new CelError(`join: invalid input: ${showValue(element)}`);
    workOnJoin(element, separator as string, meter);
    parts.push(element);
  }
  return parts.join(separator as string);
};

function workOnJoin(element: string, separator: string, meter: Meter): void {
  meter.work(element.length + separator.length);
}

const ascii = (change: (text: string) => string, letters: RegExp): Implementation => {
  return ([value]) => (value as string).replace(letters, change);
};

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

const quote: Implementation = ([value]) => {
  const escaped = (value as string).toWellFormed().replace(QUOTABLE, (c) => QUOTED[c] ?? c);
  return `"${escaped}"`;
};

/** The strings extension in its version 2, which is what kube-apiserver 1.34 has. */
export const STRING_FUNCTIONS: readonly FunctionDeclaration[] = [
  { name: "charAt", overloads: [member(["string_char_at_int", [STRING, INT], STRING], charAt)] },
  {
    name: "indexOf",
    overloads: [
      member(["string_index_of_string", [STRING, STRING], INT], indexOf),
      member(["string_index_of_string_int", [STRING, STRING, INT], INT], indexOf),
    ],
  },
  {
    name: "lastIndexOf",
    overloads: [
      member(["string_last_index_of_string", [STRING, STRING], INT], lastIndexOf),
      member(["string_last_index_of_string_int", [STRING, STRING, INT], INT], lastIndexOf),
    ],
  },
  {
    name: "lowerAscii",
    overloads: [
      member(
        ["string_lower_ascii", [STRING], STRING],
        ascii((c) => c.toLowerCase(), /[A-Z]+/g),
      ),
    ],
  },
  {
    name: "replace",
    overloads: [
      member(["string_replace_string_string", [STRING, STRING, STRING], STRING], replace),
      member(["string_replace_string_string_int", [STRING, STRING, STRING, INT], STRING], replace),
    ],
  },
  {
    name: "split",
    overloads: [
      member(["string_split_string", [STRING, STRING], LIST_OF_STRINGS], split),
      member(["string_split_string_int", [STRING, STRING, INT], LIST_OF_STRINGS], split),
    ],
  },
  {
    name: "substring",
    overloads: [
      member(["string_substring_int", [STRING, INT], STRING], substring),
      member(["string_substring_int_int", [STRING, INT, INT], STRING], substring),
    ],
  },
  { name: "trim", overloads: [member(["string_trim", [STRING], STRING], trim)] },
  {
    name: "upperAscii",
    overloads: [
      member(
        ["string_upper_ascii", [STRING], STRING],
        ascii((c) => c.toUpperCase(), /[a-z]+/g),
      ),
    ],
  },
  {
    name: "format",
    overloads: [
      member(["string_format", [STRING, listOf(DYN)], STRING], ([text, args], meter) =>
        formatString(text as string, args as CelList, meter),
      ),
    ],
  },
  { name: "strings.quote", overloads: [overload(["strings_quote", [STRING], STRING], quote)] },
  {
    name: "join",
    overloads: [
      member(["list_join", [LIST_OF_STRINGS], STRING], join),
      member(["list_join_string", [LIST_OF_STRINGS, STRING], STRING], join),
    ],
  },
];

function trim([value]: readonly Value[]): Value {
  return trimSpace(value as string);
}
