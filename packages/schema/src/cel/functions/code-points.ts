import { codePointCount, hasSurrogates } from "../values/value.ts";

/** The UTF-16 index of a code point; undefined past the end. */
export function toUtf16Index(text: string, codePoint: number): number | undefined {
  if (codePoint < 0) return undefined;
  if (!hasSurrogates(text)) return codePoint <= text.length ? codePoint : undefined;
  let index = 0;
  for (let seen = 0; seen < codePoint; seen++) {
    if (index >= text.length) return undefined;
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

/** The code point at a UTF-16 index; -1 stays -1. */
export function toCodePointIndex(text: string, utf16Index: number): number {
  return utf16Index < 0 ? -1 : codePointCount(text.slice(0, utf16Index));
}

// biome-ignore format: a list of words
const GO_SPACE = new Set([
  "\t", "\n", "\v", "\f", "\r", " ", "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002",
  "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u2028",
  "\u2029", "\u202f", "\u205f", "\u3000",
]);

/** Go's strings.TrimSpace, whose white space differs from JavaScript's. */
export function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && GO_SPACE.has(text.charAt(start))) start++;
  while (end > start && GO_SPACE.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Go's strings.Split; SplitN with a limit. */
export function splitText(text: string, separator: string, limit = -1): string[] {
  if (limit === 0) return [];
  const parts = separator === "" ? Array.from(text) : text.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

/** Go's strings.Replace: an empty `old` matches before each character and at the end. */
export function replaceText(
  text: string,
  old: string,
  [by, limit]: readonly [string, number],
): string {
  const parts = old === "" ? ["", ...Array.from(text), ""] : text.split(old);
  const count = limit < 0 ? parts.length - 1 : Math.min(limit, parts.length - 1);
  return parts.slice(0, count + 1).join(by) + rest(parts.slice(count + 1), old);
}

function rest(parts: readonly string[], old: string): string {
  return parts.length === 0 ? "" : old + parts.join(old);
}
