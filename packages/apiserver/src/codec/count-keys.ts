import { DecodeError } from "./decode-error.ts";

/** Far above any honest object, far below what would overflow the stack of a recursive walk. */
const maxDepth = 1000;

/** How many keys the objects in a value have. Throws a DecodeError where it nests too deeply. */
export function keysInValue(value: unknown, depth = 0): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth > maxDepth) throw tooDeep(value);
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) keys += keysInValue(item, depth + 1);
    return keys;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) keys += 1 + keysInValue(object[key], depth + 1);
  return keys;
}

function tooDeep(value: object): DecodeError {
  return new DecodeError(
    `invalid character '${Array.isArray(value) ? "[" : "{"}' exceeded max depth`,
  );
}

/** How many keys valid JSON text has: the strings with a colon behind them. */
export function keysInText(text: string): number {
  let keys = 0;
  let start = text.indexOf('"');
  while (start !== -1) {
    const colon = skipSpace(text, endOfString(text, start));
    if (text[colon] === ":") keys++;
    start = text.indexOf('"', colon);
  }
  return keys;
}

/** Behind the quote that ends the string. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === backslash && isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  return end + 1;
}

const backslash = 0x5c;

function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1;
  while (text.charCodeAt(at) === backslash) at--;
  return (quote - at) % 2 === 0;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}
