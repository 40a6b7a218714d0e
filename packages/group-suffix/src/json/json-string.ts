import { UnreadableBodyError } from "../errors.ts";

// Local constants: imported ones are slow in the loop.
const quote = 0x22;
const backslash = 0x5c;

/** A string without escapes, and the origin of each of its bytes. */
export interface Unescaped {
  /** One character for each byte of UTF-8. */
  readonly text: string;
  /** The offset of each character; undefined for a string without escapes. */
  readonly offsets: Uint32Array | undefined;
}

/** The closing quote of the string whose text begins at `from`, or -1. */
export function findStringEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let i = from; i < to; i++) {
    const byte = bytes[i] ?? 0;
    if (byte === quote) return i;
    if (byte === backslash) i++;
    else if (byte < 0x20) throw new UnreadableBodyError("JSON", "a string holds a line break");
  }
  return -1;
}

export function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if (bytes[i] === backslash) return true;
  }
  return false;
}

export function unescapeString(bytes: Uint8Array, start: number, end: number): Unescaped {
  if (!hasEscape(bytes, start, end)) return { text: latin1(bytes, start, end), offsets: undefined };
  const out = Buffer.alloc(end - start);
  const offsets = new Uint32Array(end - start + 1);
  let length = 0;
  for (let i = start; i < end; ) {
    const width = bytes[i] === backslash ? escapeWidth(bytes, i) : 1;
    const decoded = width === 1 ? bytes.subarray(i, i + 1) : decodeEscape(bytes, i, width);
    offsets.fill(i, length, length + decoded.length);
    out.set(decoded, length);
    length += decoded.length;
    i += width;
  }
  offsets[length] = end;
  return { text: out.toString("latin1", 0, length), offsets };
}

/** Two escapes form one character beyond U+FFFF. */
function escapeWidth(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x75) return 2;
  const two = /^\\u[dD][89abAB]..\\u[dD][c-fC-F]../.test(
    latin1(bytes, at, Math.min(at + 12, bytes.length)),
  );
  return two ? 12 : 6;
}

function decodeEscape(bytes: Uint8Array, at: number, width: number): Uint8Array {
  try {
    return Buffer.from(JSON.parse(`"${latin1(bytes, at, at + width)}"`) as string);
  } catch (cause) {
    throw new UnreadableBodyError("JSON", "a string has an escape that JSON does not know", {
      cause,
    });
  }
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** One character for each byte, so that positions are equal. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1");
}
