import { structureEnd } from "./simd/scanner.ts";

// Local constants: imported ones are slow in the loop.
const quote = 0x22;
const backslash = 0x5c;

/**
 * The end of the object, list or string at `from`; -1 if it does not end before `end`, is
 * unbalanced or too long.
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
