import { resolveScalar } from "./scalar.ts";

export interface ScalarPlace {
  /** The column that it begins in. */
  readonly column: number;
  /** The indentation of its further lines. */
  readonly indent: number;
  /** Keys stay in one line. */
  readonly isKey: boolean;
}

/** The column after which Go's YAML breaks lines at the next space. */
const width = 80;

/** A text as Go's YAML writes it: plain where it can be, else quoted, several lines as a block. */
export function writeGoString(text: string, place: ScalarPlace): string {
  const traits = traitsOf(text);
  const isMultiline = text.includes("\n");
  if (isMultiline && traits.isBlockable && !place.isKey) return writeLiteral(text, place.indent);
  if (isMultiline || !isOwnText(text)) return writeDouble(text, place);
  if (traits.isPlain) return fold(text, place);
  return traits.isSingle ? writeSingle(text, place) : writeDouble(text, place);
}

/** Whether YAML reads the plain text as a string, and not as a number, a boolean or a time. */
function isOwnText(text: string): boolean {
  const isTime = /^\d{4}-\d\d?-\d\d?([Tt ]|$)/.test(text) && !Number.isNaN(Date.parse(text));
  const isSexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text);
  return resolveScalar(text) === text && !isTime && !isSexagesimal && !/^(y|n)$/i.test(text);
}

interface Traits {
  readonly isPlain: boolean;
  readonly isSingle: boolean;
  readonly isBlockable: boolean;
}

const unprintable = /[^\n\r\x20-\x7e\u0085\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const startsLikeSyntax = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:\s|$)|---|\.\.\.)/;
const holdsSyntax = /:(?:\s|$)|\s#/;

function traitsOf(text: string): Traits {
  const isSpecial = unprintable.test(text) || / [\n\r]/.test(text);
  const hasOuterBlanks = /^\s|\s$/.test(text);
  const hasIndicators = startsLikeSyntax.test(text) || holdsSyntax.test(text);
  return {
    isPlain: !isSpecial && !hasOuterBlanks && !hasIndicators && !/[\n\r]/.test(text),
    isSingle: !isSpecial && !/[\n\r] /.test(text),
    isBlockable: !isSpecial && !text.endsWith(" ") && !text.includes("\r"),
  };
}

/** The header of a block has its indentation, if that is ambiguous, and the handling of final line breaks. */
function writeLiteral(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? "2" : "";
  const end = !text.endsWith("\n") ? "-" : /^\n$|\n\n$/.test(text) ? "+" : "";
  const body = (end === "-" ? text : text.slice(0, -1))
    .split("\n")
    .map((line) => (line === "" ? "" : " ".repeat(indent) + line));
  return `|${hint}${end}\n${body.join("\n")}`;
}

function writeSingle(text: string, place: ScalarPlace): string {
  return `'${fold(text.replaceAll("'", "''"), { ...place, column: place.column + 1 }, true)}'`;
}

/** Breaks at single spaces that are beyond the width. */
function fold(text: string, { column, indent, isKey }: ScalarPlace, isQuoted = false): string {
  if (isKey) return text;
  let written = "";
  let at = column;
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    const isAlone =
      character === " " && characters[index - 1] !== " " && characters[index + 1] !== " ";
    const isInside = !isQuoted || (index > 0 && index < characters.length - 1);
    if (isAlone && at > width && isInside) {
      written += `\n${" ".repeat(indent)}`;
      at = indent;
    } else {
      written += character;
      at += 1;
    }
  }
  return written;
}

const escapes: Readonly<Record<string, string>> = {
  "\0": "\\0",
  "\u0007": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  "\u001b": "\\e",
  '"': '\\"',
  "\\": "\\\\",
  "\u0085": "\\N",
  "\u00a0": "\\_",
  "\u2028": "\\L",
  "\u2029": "\\P",
};

function writeDouble(text: string, { column, indent, isKey }: ScalarPlace): string {
  let written = "";
  let at = column + 1;
  const characters = [...text];
  for (const [index, character] of characters.entries()) {
    const isInside = index > 0 && index < characters.length - 1;
    const isAlone = character === " " && characters[index - 1] !== " ";
    if (isAlone && !isKey && at > width && isInside) {
      const isNextSpace = characters[index + 1] === " ";
      written += `\n${" ".repeat(indent)}${isNextSpace ? "\\" : ""}`;
      at = indent + Number(isNextSpace);
      continue;
    }
    const escaped =
      escapes[character] ?? (unprintable.test(character) ? hexadecimal(character) : character);
    written += escaped;
    at += [...escaped].length;
  }
  return `"${written}"`;
}

function hexadecimal(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

const [smallest, largest] = [-(2n ** 63n), 2n ** 64n - 1n];

/** An integer within Go's limits, or Go's shortest form of a number. */
export function writeGoNumber(value: number): string {
  const plain = String(value);
  if (/^-?\d+$/.test(plain)) {
    const whole = BigInt(plain);
    if (whole >= smallest && whole <= largest) return plain;
  }
  const [digits = "", exponent = "0"] = value.toExponential().split("e");
  if (Number(exponent) >= -4 && Number(exponent) < 6) return plain;
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}
