import { append } from "../../append.ts";
import { QUOTED_ESCAPES } from "../quoted-escapes.ts";

const utf8 = new TextEncoder();

const SIMPLE: Readonly<Record<string, string>> = {
  ...QUOTED_ESCAPES,
  '"': '"',
  "`": "`",
  "?": "?",
};

const ESCAPES =
  /\\(?:x([0-9a-fA-F]{2})|X([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(.))/gsu;

/** The text of a string literal; undefined where an escape names no valid code point. */
export function unescapeString(literal: string): string | undefined {
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

/** The content of a bytes literal without its `b`; undefined where it has a Unicode escape. */
export function unescapeBytes(literal: string): Uint8Array | undefined {
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
