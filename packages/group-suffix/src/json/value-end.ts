import { structureEnd } from "./simd/scanner.ts";

// Constants of this file: those of another are slow in the loop.
const quote = 0x22;
const backslash = 0x5c;

/**
 * Where the object, list or string ends that begins at `from`; -1 where it does not end before
 * `end`, closes what is not open, or is too long to be seen at once.
 */
export function valueEnd(bytes: Uint8Array, from: number, end: number): number {
  if (bytes[from] !== quote) return structureEnd(bytes, from, end);
  for (let i = from + 1; i < end; i++) {
    const byte = bytes[i];
    if (byte === quote) return i + 1;
    if (byte === backslash) i++;
  }
  return -1;
}
