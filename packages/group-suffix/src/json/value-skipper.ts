import { UnreadableBodyError } from "../errors.ts";
import { backslash, closeBrace, closeBracket, openBrace, openBracket, quote } from "./bytes.ts";

/**
 * Passes over a value that no rule speaks of, at any byte of which the input may break off. It
 * checks that what is opened is closed, and leaves the rest to the reader on the other side.
 */
export class ValueSkipper {
  /** What closes the objects and lists that are open. */
  readonly #closers: number[] = [];
  #inString = false;
  #escaped = false;
  active = false;

  /** Begins at the first byte of an object, a list or a string. */
  begin(): void {
    this.active = true;
  }

  /** Returns how far it came; it is no longer active where the value ends there. */
  skip(bytes: Uint8Array, from: number, to: number): number {
    let i = from;
    while (i < to && this.active) {
      i = this.#inString ? this.#skipString(bytes, i, to) : this.#skipStructure(bytes, i, to);
    }
    return i;
  }

  #skipString(bytes: Uint8Array, from: number, to: number): number {
    let i = this.#escaped ? from + 1 : from;
    this.#escaped = false;
    for (; i < to; i++) {
      const byte = bytes[i];
      if (byte === quote) {
        this.#inString = false;
        this.active = this.#closers.length > 0;
        return i + 1;
      }
      if (byte === backslash) i++;
    }
    this.#escaped = i > to;
    return to;
  }

  #skipStructure(bytes: Uint8Array, from: number, to: number): number {
    for (let i = from; i < to; i++) {
      const byte = bytes[i];
      if (byte === quote) {
        this.#inString = true;
        return i + 1;
      }
      if (byte === openBrace) this.#closers.push(closeBrace);
      else if (byte === openBracket) this.#closers.push(closeBracket);
      else if (byte === closeBrace || byte === closeBracket) {
        if (this.#close(byte)) return i + 1;
      }
    }
    return to;
  }

  /** Whether the value ends here. */
  #close(byte: number): boolean {
    if (this.#closers.pop() !== byte) {
      throw new UnreadableBodyError("JSON", "an object or a list is closed that is not open");
    }
    this.active = this.#closers.length > 0;
    return !this.active;
  }
}
