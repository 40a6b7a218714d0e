import type { Issues, Source } from "./issues.ts";

export type TokenKind =
  | "operator"
  | "identifier"
  | "escapedIdentifier"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "end";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly offset: number;
}

const ESCAPE =
  "\\\\(?:[abfnrtv\"'\\\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})";
// Longer quotes first: the longest token wins.
const STRING = [
  '[rR]"""[\\s\\S]*?"""',
  "[rR]'''[\\s\\S]*?'''",
  '[rR]"[^"\\n\\r]*"',
  "[rR]'[^'\\n\\r]*'",
  `"""(?:${ESCAPE}|[^\\\\])*?"""`,
  `'''(?:${ESCAPE}|[^\\\\])*?'''`,
  `"(?:${ESCAPE}|[^\\\\"\\n\\r])*"`,
  `'(?:${ESCAPE}|[^\\\\'\\n\\r])*'`,
].join("|");

const RULES: readonly (readonly [TokenKind | "blank", RegExp])[] = [
  ["blank", /[\t \r\n\f]+|\/\/[^\n]*/y],
  [
    "double",
    /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?/y,
  ],
  ["uint", /0x[0-9a-fA-F]+[uU]|[0-9]+[uU]/y],
  ["int", /0x[0-9a-fA-F]+|[0-9]+/y],
  ["bytes", new RegExp(`[bB](?:${STRING})`, "y")],
  ["string", new RegExp(STRING, "y")],
  ["identifier", /[A-Za-z_][A-Za-z0-9_]*/y],
  ["escapedIdentifier", /`[A-Za-z0-9_./ -]+`/y],
  ["operator", /==|!=|<=|>=|&&|\|\||[-<>[\]{}().,!?:+*/%]/y],
];

/** Splits an expression into tokens; invalid characters are reported and skipped. */
export function tokenize(source: Source, issues: Issues): readonly Token[] {
  const tokens: Token[] = [];
  let index = 0;
  let offset = 0;
  while (index < source.text.length) {
    const [kind, text] = matchAt(source.text, index);
    if (kind === undefined) {
      issues.report(offset, `Syntax error: token recognition error at: '${text}'`);
    } else if (kind !== "blank") {
      tokens.push({ kind, text, offset });
    }
    index += text.length;
    offset += Array.from(text).length;
  }
  tokens.push({ kind: "end", text: "<EOF>", offset });
  return tokens;
}

function matchAt(text: string, index: number): readonly [TokenKind | "blank" | undefined, string] {
  for (const [kind, rule] of RULES) {
    rule.lastIndex = index;
    const match = rule.exec(text);
    if (match) return [kind, match[0]];
  }
  return [undefined, unrecognized(text, index)];
}

const UNFINISHED = new RegExp(
  `"(?:${ESCAPE}|[^\\\\"\\n\\r])*(?:\\\\?[\\s\\S])?|'(?:${ESCAPE}|[^\\\\'\\n\\r])*(?:\\\\?[\\s\\S])?`,
  "y",
);

/** An unfinished string up to its first invalid character, else one character. */
function unrecognized(text: string, index: number): string {
  UNFINISHED.lastIndex = index;
  const unfinished = UNFINISHED.exec(text)?.[0];
  return unfinished ?? String.fromCodePoint(text.codePointAt(index) ?? 0);
}
