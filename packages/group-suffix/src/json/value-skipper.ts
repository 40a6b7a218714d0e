import { UnreadableBodyError } from "../errors.ts";

// Local constants: imported ones are slow in the loop.
const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Skips a value without rules, which may be split at any byte. Checks only that brackets are
 * balanced; the receiver checks the rest.
 */
export class ValueSkipper {
  active = false;
  /** The number of open objects and lists, and of objects among them. */
  #depth = 0;
  #braces = 0;
  #inString = false;
  /** Whether the first byte of the next chunk is escaped. */
  #escaped = false;

  /** Starts at the first byte of an object, a list or a string. */
  begin(): void {
    this.active = true;
  }

  /** Returns the new position; `active` is false at the end of the value. */
  skip(bytes: Uint8Array, from: number, to: number): number {
    if (!this.#inString && (this.#depth > 0 || bytes[from] !== quote)) {
      return this.#skipStructure(bytes, from, to);
    }
    const end = stringEnd(bytes, this.#inString && !this.#escaped ? from : from + 1, to);
    this.#inString = end > to;
    this.#escaped = end > to + 1;
    if (this.#inString) return to;
    this.active = this.#depth > 0;
    return this.active ? this.#skipStructure(bytes, end, to) : end;
  }

  /** Two loops over local variables without calls, because most bytes pass here. */
  #skipStructure(bytes: Uint8Array, from: number, to: number): number {
    let depth = this.#depth;
    let braces = this.#braces;
    let inString = false;
    let i = from;
    while (i < to) {
      const byte = bytes[i++];
      if (byte === quote) {
        inString = true;
        while (i < to) {
          const inner = bytes[i++];
          if (inner === quote) {
            inString = false;
            break;
          }
          if (inner === backslash) i++;
        }
      } else if (byte === openBrace) {
        depth++;
        braces++;
      } else if (byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) {
        if (byte === closeBrace) braces--;
        if (--depth === 0) break;
      }
    }
    if (braces < 0 || braces > depth) unbalanced();
    this.#depth = depth;
    this.#braces = braces;
    this.#inString = inString;
    this.#escaped = i > to;
    this.active = depth > 0;
    return Math.min(i, to);
  }
}

/**
 * The position after the string; beyond `to` for an incomplete one: by one, or by two after an
 * escaping last byte.
 */
function stringEnd(bytes: Uint8Array, from: number, to: number): number {
  let i = from;
  while (i < to) {
    const byte = bytes[i++];
    if (byte === quote) return i;
    if (byte === backslash) i++;
  }
  return i + 1;
}

function unbalanced(): never {
  throw new UnreadableBodyError("JSON", "an object or a list is closed that is not open");
}
