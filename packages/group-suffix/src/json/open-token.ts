import { literalEnd } from "./literal.ts";

const quote = 0x22;
const backslash = 0x5c;

/**
 * The position to continue the search for the end of an incomplete string or literal; undefined
 * where it ends or is invalid. Avoids quadratic time for long tokens.
 */
export function openTokenEnd(bytes: Uint8Array, start: number, from: number): number | undefined {
  const { length } = bytes;
  if (bytes[start] !== quote) {
    return literalEnd(bytes, start + from, length) < length ? undefined : length - start;
  }
  for (let i = start + from; ; i++) {
    if (i >= length) return i - start;
    const byte = bytes[i] ?? 0;
    if (byte === quote || byte < 0x20) return undefined;
    if (byte === backslash) i++;
  }
}
