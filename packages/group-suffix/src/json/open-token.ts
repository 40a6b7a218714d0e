import { literalEnd } from "./literal.ts";

const quote = 0x22;
const backslash = 0x5c;

/**
 * Where to go on with a string or a literal that is not complete, from its beginning on; undefined
 * where it ends, or is wrong. The walker would search each piece of a long one from its beginning.
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
