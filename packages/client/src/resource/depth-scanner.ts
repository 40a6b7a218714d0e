const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** "[" and "{" differ in this bit, and so do "]" and "}". */
const curly = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/**
 * Follows how deep JSON text is nested, in chunks that may end anywhere, without parsing it. Text that
 * is no JSON leads anywhere, but never outside of the chunk.
 */
export class DepthScanner {
  #depth = 0;
  /** How many bytes of the next chunk are read at least before its string can end; -1 outside. */
  #string = -1;

  /** How many objects and lists are open at the place that `next` returned last. */
  get depth(): number {
    return this.#depth;
  }

  /**
   * Finds the next bracket that leads to or from this level, or comma on it or above, and returns the
   * place after it; -1 where there is none in the rest of the chunk.
   */
  next(chunk: Uint8Array, from: number, level: number): number {
    let at = this.#string < 0 ? from : stringEnd(chunk, from + this.#string);
    // In variables, not fields: every byte of every list passes here.
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
 * The place after a string's end. Where it does not end in the chunk: one more than the chunk's length,
 * or two where the first byte of the next chunk is escaped.
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
