// Constants of this file: those of another are slow in the loop.
const quote = 0x22;
const backslash = 0x5c;
/** Braces and brackets differ in one bit only. */
const anyOpening = 0x5b;
const anyClosing = 0x5d;
const withoutBrace = 0xdf;

/**
 * Where the object, list or string ends that begins at `from`; -1 where it does not end before
 * `end`, or closes what is not open. Most bytes of most bodies pass here: the loop makes no calls.
 */
export function valueEnd(bytes: Uint8Array, from: number, end: number): number {
  let depth = 0;
  let braces = 0;
  for (let i = from; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === quote) {
      // A byte past the end must not even be looked at: that alone would make the loop slow.
      if (++i >= end) return -1;
      let inner = bytes[i];
      while (inner !== quote) {
        if (inner === backslash) i++;
        if (++i >= end) return -1;
        inner = bytes[i];
      }
    } else if (byte >= anyOpening) {
      const kind = byte & withoutBrace;
      if (kind === anyOpening) {
        depth++;
        braces += byte >> 5;
      } else if (kind === anyClosing) {
        depth--;
        braces -= byte >> 5;
      }
    } else continue;
    if (depth <= 0) return depth === 0 && braces === 0 ? i + 1 : -1;
  }
  return -1;
}
