import { resolveScalar } from "./scalar.ts";

/** A document that needs a complete YAML parser. */
class Unsupported extends Error {}

const key = /^(?:([A-Za-z_$][\w./$-]*)|"([^"\\]*)"|'([^']*)'):(?: +(.*))?$/;
const doubleQuoted = /^"(?:[^"\\]|\\["\\/nt ]|\\u[\da-fA-F]{4})*"$/;
const singleQuoted = /^'((?:[^']|'')*)'$/;
const plainStart = /^[^\s\-?:,[\]{}#&*!|>'"%@`]|^[-:](?=\S)/;

/**
 * Reads the YAML that tools write (block collections, scalars on one line or folded, literal blocks)
 * about 20 times as fast as a complete YAML parser. Undefined for other YAML.
 */
export function readBlocks(text: string): unknown {
  if (/[\t\r]/.test(text)) return undefined;
  try {
    return new BlockReader(text.split("\n")).read();
  } catch (error) {
    // Deep nesting causes a RangeError.
    if (error instanceof Unsupported || error instanceof RangeError) return undefined;
    throw error;
  }
}

class BlockReader {
  readonly #lines: string[];
  #at = 0;

  constructor(lines: string[]) {
    this.#lines = lines;
  }

  read(): unknown {
    const value = this.#collection(this.#nextIndent());
    if (this.#nextIndent() >= 0) throw new Unsupported();
    return value;
  }

  #collection(indent: number): unknown {
    return this.#isItem(indent) ? this.#sequence(indent) : this.#mapping(indent);
  }

  #mapping(indent: number): Record<string, unknown> {
    const mapping: Record<string, unknown> = {};
    while (this.#nextIndent() === indent && !this.#isItem(indent)) {
      const [, plain, double, single, rest = ""] = key.exec(this.#line().slice(indent)) ?? [];
      const name = plain ?? double ?? single;
      // The complete parser handles repeated keys, and words such as "on".
      if (name === undefined || name in mapping) throw new Unsupported();
      if (plain !== undefined && resolveScalar(plain) !== plain) throw new Unsupported();
      this.#at += 1;
      mapping[name] = rest === "" ? this.#below(indent, true) : this.#value(rest, indent);
    }
    return mapping;
  }

  #sequence(indent: number): unknown[] {
    const sequence: unknown[] = [];
    while (this.#nextIndent() === indent && this.#isItem(indent)) {
      const rest = this.#line().slice(indent + 1);
      const content = rest.trimStart();
      const inner = indent + 1 + rest.length - content.length;
      if (content === "") {
        this.#at += 1;
        sequence.push(this.#below(indent, false));
      } else if (key.test(content)) {
        // Its first key has the indentation of the other keys.
        this.#lines[this.#at] = " ".repeat(inner) + content;
        sequence.push(this.#mapping(inner));
      } else {
        this.#at += 1;
        sequence.push(this.#value(content, indent));
      }
    }
    return sequence;
  }

  /** The value below a key or a dash; a sequence may have the indentation of its key. */
  #below(indent: number, isKey: boolean): unknown {
    const next = this.#nextIndent();
    if (next > indent) return this.#collection(next);
    return isKey && next === indent && this.#isItem(next) ? this.#sequence(next) : null;
  }

  #value(text: string, indent: number): unknown {
    if (text === "{}") return {};
    if (text === "[]") return [];
    if (/^\|[-+]?$/.test(text)) return this.#literal(text.slice(1), indent);
    const whole = this.#folded(text, indent);
    if (doubleQuoted.test(whole)) return JSON.parse(withoutEscapedSpaces(whole));
    const single = singleQuoted.exec(whole)?.[1];
    if (single !== undefined) return single.replaceAll("''", "'");
    if (!plainStart.test(whole) || /: |:$| #/.test(whole)) throw new Unsupported();
    const value = resolveScalar(whole);
    if (typeof value === "number" && !Number.isFinite(value)) throw new Unsupported();
    return value;
  }

  /** A scalar with its continuation lines. */
  #folded(text: string, indent: number): string {
    // The parts are joined once, as appending to a string would copy it for each line.
    const before: string[] = [];
    let last = text.trimEnd();
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line();
      const content = line.trim();
      if (content === "") {
        // A blank line inside of a scalar is a line break.
        if (this.#nextIndent() > indent) throw new Unsupported();
        break;
      }
      if (indentOf(line) <= indent) break;
      if (content.startsWith("#")) throw new Unsupported();
      const isJoined = text.startsWith('"') && endsInEscape(last);
      if (isJoined && /\s$/.test(this.#lines[this.#at - 1] ?? "")) throw new Unsupported();
      // In double quotes a backslash at the end of a line removes the line break.
      before.push(isJoined ? last.slice(0, -1) : `${last} `);
      last = content;
    }
    return before.join("") + last;
  }

  #literal(chomping: string, indent: number): string {
    const start = this.#at;
    const isInside = (line: string) => indentOf(line) > indent || line.trim() === "";
    while (this.#at < this.#lines.length && isInside(this.#line())) this.#at += 1;
    const lines = this.#lines.slice(start, this.#at);
    const first = lines.findIndex((line) => line.trim() !== "");
    const inner = indentOf(lines[first] ?? "");
    const isRegular = (line: string) =>
      line.trim() === "" ? line.length <= inner : indentOf(line) >= inner;
    if (first < 0 || chomping === "+" || !lines.every(isRegular)) throw new Unsupported();
    const text = lines.map((line) => line.slice(inner)).join("\n");
    return withoutLast(text, "\n") + (chomping === "-" ? "" : "\n");
  }

  /** Steps over blank lines and comments; -1 at the end. */
  #nextIndent(): number {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line();
      const indent = indentOf(line);
      if (indent < line.length && line[indent] !== "#") return indent;
    }
    return -1;
  }

  #isItem(indent: number): boolean {
    const line = this.#line();
    return line[indent] === "-" && (line[indent + 1] === " " || line.length === indent + 1);
  }

  #line(): string {
    return this.#lines[this.#at] ?? "";
  }
}

function endsInEscape(text: string): boolean {
  return (text.length - withoutLast(text, "\\").length) % 2 === 1;
}

/** Removes a character from the end, in linear time, unlike a regular expression. */
function withoutLast(text: string, character: string): string {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** JSON has no "\\ ". */
function withoutEscapedSpaces(text: string): string {
  return text.includes("\\ ")
    ? text.replace(/\\(.)/g, (all, next) => (next === " " ? " " : all))
    : text;
}

function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === 32) indent += 1;
  return indent;
}
