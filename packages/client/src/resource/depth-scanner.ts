const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** "[" and "{" differ in this bit, as do "]" and "}". */
const curly = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/**
 * Tracks the nesting depth of JSON in chunks, without parsing it. Invalid JSON gives any result,
 * but never one outside of the chunk.
 */
export class DepthScanner {
  #depth = 0;
  /** The bytes of the next chunk before its string can end; -1 outside of strings. */
  #string = -1;

  /** The open objects and lists at the last result of `next`. */
  get depth(): number {
    return this.#depth;
  }

  /**
   * The position after the next bracket that enters or leaves this level, or comma on it or above;
   * -1 if the chunk has none.
   */
  next(chunk: Uint8Array, from: number, level: number): number {
    let at = this.#string < 0 ? from : stringEnd(chunk, from + this.#string);
    // Local variables, because every byte of every list passes here.
    let depth = this.#depth;
    let found = false;
    while (at < chunk.length && !found) {
      const byte = chunk[at++];
      if (byte === quote) at = stringEnd(chunk, at);
      else if (byte === comma) found = depth <= level;
      else if (byte === undefined) break;
      else if ((byte | curly) === opening) found = depth++ <= level;
      else if ((byte | curly) === closing) found = --depth <= level;
    }
    this.#depth = depth;
    this.#string = at - chunk.length - 1;
    return found ? at : -1;
  }
}

/**
 * The position after a string. For an incomplete one: one beyond the chunk, or two after an
 * escaping last byte.
 */
function stringEnd(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length) {
    const byte = chunk[at++];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  return at + 1;
}
