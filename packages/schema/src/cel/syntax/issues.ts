/** The line counts from 1, the column from 0, in code points. */
interface Location {
  readonly line: number;
  readonly column: number;
}

/** The text of an expression by code points, as error positions count. */
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

  /** Without the line break; undefined past the last line. */
  line(number: number): readonly string[] | undefined {
    const start = this.#lineStarts[number - 1];
    if (start === undefined || this.characters.length === 0) return undefined;
    const next = this.#lineStarts[number];
    return this.characters.slice(start, next === undefined ? undefined : next - 1);
  }
}
const MAX_ISSUES = 100;
const MAX_SNIPPET_LENGTH = 16384;
const NO_LOCATION: Location = { line: -1, column: -1 };

interface Issue {
  readonly location: Location;
  readonly message: string;
}

/** The issues of an expression, in the format of kube-apiserver. */
export class Issues {
  readonly #source: Source;
  readonly #issues: Issue[] = [];
  #count = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  get any(): boolean {
    return this.#count > 0;
  }

  /** Without an offset the issue concerns the whole expression. */
  report(offset: number | undefined, message: string): void {
    this.#count++;
    if (this.#count > MAX_ISSUES) return;
    const location = offset === undefined ? NO_LOCATION : this.#source.locate(offset);
    this.#issues.push({ location, message });
  }

  toString(): string {
    const lines = this.#issues
      .toSorted((a, b) => byLocation(a.location, b.location))
      .map((issue) => this.#display(issue));
    const truncated = this.#count - MAX_ISSUES;
    if (truncated > 0) lines.push(`${truncated} more errors were truncated`);
    return lines.join("\n");
  }

  #display({ location, message }: Issue): string {
    const headline = `ERROR: <input>:${location.line}:${location.column + 1}: ${message}`;
    const line = this.#source.line(location.line);
    if (line === undefined || line.length > MAX_SNIPPET_LENGTH) return headline;
    const snippet = line.map((character) => (character === "\t" ? " " : character));
    const dots = snippet.slice(0, location.column).map((c) => (isWide(c) ? "\uff0e" : "."));
    const at = snippet[location.column];
    const caret = at !== undefined && isWide(at) ? "\uff3e" : "^";
    return `${headline}\n | ${snippet.join("")}\n | ${dots.join("")}${caret}`;
  }
}

function byLocation(a: Location, b: Location): number {
  return a.line - b.line || a.column - b.column;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) ?? 0) > 0x7f;
}
