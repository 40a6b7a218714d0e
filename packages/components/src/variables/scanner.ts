/** Says whether a character belongs to a token; `position` counts the token's characters from 1. */
export type Accept = (character: string, position: number) => boolean;

/** What a token may be, beside characters that are accepted. */
interface Mode {
  /** "${" ends the token. */
  readonly substitutions?: boolean;
  /** A doubled "$" or "\", and "\/", stand for the second character. */
  readonly escapes?: boolean;
}

/** Reads the inside of substitutions character by character. */
export class Scanner {
  readonly #text: string;
  position: number;

  constructor(text: string, position: number) {
    this.#text = text;
    this.position = position;
  }

  /** The next character, "" at the end. */
  peek(): string {
    const point = this.#text.codePointAt(this.position);
    return point === undefined ? "" : String.fromCodePoint(point);
  }

  startsWith(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.position);
  }

  /** Steps over a prefix, if it is there. */
  skip(prefix: string): boolean {
    const there = this.startsWith(prefix);
    if (there) this.position += prefix.length;
    return there;
  }

  /** The longest run of accepted characters; "" where the next one is not accepted. */
  take(accept: Accept, mode: Mode = {}): string {
    let token = "";
    for (let position = 1; ; position++) {
      if (mode.substitutions && this.startsWith("${")) return token;
      if (mode.escapes && this.#isEscape()) this.position += 1;
      else if (this.peek() === "" || !accept(this.peek(), position)) return token;
      const character = this.peek();
      token += character;
      this.position += character.length;
    }
  }

  #isEscape(): boolean {
    return this.startsWith("$$") || this.startsWith("\\/") || this.startsWith("\\\\");
  }
}
