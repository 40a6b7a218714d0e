import { UnreadableBodyError } from "../errors.ts";

// Constants of this file: those of another are slow in the loop.
const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * Passes over a value that no rule speaks of, at any byte of which the input may break off. It
 * checks that what is opened is closed, and leaves the rest to the reader on the other side.
 */
export class ValueSkipper {
  active = false;
  /** How many objects and lists are open, and how many of them are objects. */
  #depth = 0;
  #braces = 0;
  #inString = false;
  /** The first byte of the next piece is escaped. */
  #escaped = false;

  /** Begins at the first byte of an object, a list or a string. */
  begin(): void {
    this.active = true;
  }

  /** Returns how far it came; it is no longer active where the value ends there. */
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

  /** Two loops over local variables, without a call: most bytes of most bodies pass here. */
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
 * Where it goes on after the string; beyond `to` where the string does not end before: by one, or by
 * two where the last byte escapes the next.
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
