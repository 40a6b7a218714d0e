import { append } from "../../append.ts";
import { MAX_INT64, MAX_UINT64, MIN_INT64 } from "../values/numbers.ts";
import { Uint, type Value } from "../values/value.ts";
import type { Token } from "./lexer.ts";

/** Escapes between single quotes. */
export const QUOTED_ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "'": "'",
  "\\": "\\",
};

const utf8 = new TextEncoder();

const SIMPLE: Readonly<Record<string, string>> = {
  ...QUOTED_ESCAPES,
  '"': '"',
  "`": "`",
  "?": "?",
};

const ESCAPES =
  /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/gsu;

/** Undefined for an escape without a valid code point. */
function unescapeString(literal: string): string | undefined {
  const { body, raw } = unquote(literal);
  if (raw || !body.includes("\\")) return body;
  let valid = true;
  const text = body.replace(ESCAPES, (_match, ...groups: (string | undefined)[]) => {
    const code = codeOf(groups);
    if (code === undefined) return SIMPLE[groups[5] ?? ""] ?? "";
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      valid = false;
      return "";
    }
    return String.fromCodePoint(code);
  });
  return valid ? text : undefined;
}

/** The content of a bytes literal without its `b`; undefined for a Unicode escape. */
function unescapeBytes(literal: string): Uint8Array | undefined {
  const { body, raw } = unquote(literal);
  if (raw) return utf8.encode(body);
  const bytes: number[] = [];
  let last = 0;
  for (const match of body.matchAll(ESCAPES)) {
    if (match[3] !== undefined || match[4] !== undefined) return undefined;
    append(bytes, utf8.encode(body.slice(last, match.index)));
    const code = codeOf(match.slice(1));
    if (code === undefined) append(bytes, utf8.encode(SIMPLE[match[6] ?? ""] ?? ""));
    else bytes.push(code);
    last = match.index + match[0].length;
  }
  append(bytes, utf8.encode(body.slice(last)));
  return Uint8Array.from(bytes);
}

function codeOf(groups: readonly (string | undefined)[]): number | undefined {
  const [x, bigX, u, bigU, octal] = groups;
  const hex = x ?? bigX ?? u ?? bigU;
  if (hex !== undefined) return Number.parseInt(hex, 16);
  return octal === undefined ? undefined : Number.parseInt(octal, 8);
}

function unquote(literal: string): { readonly body: string; readonly raw: boolean } {
  const text = literal.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const raw = text.startsWith("r") || text.startsWith("R");
  const quoted = raw ? text.slice(1) : text;
  const triple = quoted.length >= 6 && /^(?:'''|""")/.test(quoted);
  const width = triple ? 3 : 1;
  return { body: quoted.slice(width, -width), raw };
}

export type LiteralResult = { readonly value: Value } | { readonly problem: string };

export function literalValue(token: Token, negative: boolean): LiteralResult {
  switch (token.kind) {
    case "int": {
      const value = negative ? -BigInt(token.text) : BigInt(token.text);
      const valid = value >= MIN_INT64 && value <= MAX_INT64;
      return valid ? { value } : { problem: "invalid int literal" };
    }
    case "uint": {
      const value = BigInt(token.text.slice(0, -1));
      return value <= MAX_UINT64 ? { value: new Uint(value) } : { problem: "invalid uint literal" };
    }
    case "double": {
      const value = Number(negative ? `-${token.text}` : token.text);
      return Number.isFinite(value) ? { value } : { problem: "invalid double literal" };
    }
    case "bytes":
      return orProblem(unescapeBytes(token.text.slice(1)), "unable to unescape string");
    default:
      return orProblem(unescapeString(token.text), "invalid unicode code point");
  }
}

function orProblem(value: Value | undefined, problem: string): LiteralResult {
  return value === undefined ? { problem } : { value };
}
