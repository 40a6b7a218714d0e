/** A place in an expression: the line counts from 1, the column from 0, in code points. */
export interface Location {
  readonly line: number;
  readonly column: number;
}

/** The text of one expression, addressed by code point as error positions are. */
export class Source {
  readonly text: string;
  readonly characters: readonly string[];
  readonly #lineStarts: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.characters = Array.from(text);
    const starts = [0];
    this.characters.forEach((character, offset) => {
      if (character === "\n") starts.push(offset + 1);
    });
    this.#lineStarts = starts;
  }

  locate(offset: number): Location {
    let line = 0;
    while ((this.#lineStarts[line + 1] ?? Number.POSITIVE_INFINITY) <= offset) line++;
    return { line: line + 1, column: offset - (this.#lineStarts[line] ?? 0) };
  }

  /** The characters of a line without its line break; undefined past the last line. */
  line(number: number): readonly string[] | undefined {
    const start = this.#lineStarts[number - 1];
    if (start === undefined || this.characters.length === 0) return undefined;
    const next = this.#lineStarts[number];
    return this.characters.slice(start, next === undefined ? undefined : next - 1);
  }
}
