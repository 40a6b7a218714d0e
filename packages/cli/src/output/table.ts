const blanks = /[\t\n\f\r ]+/;

/**
 * Breaks lines that are longer than a width between words. Lines of the text stay lines, and what
 * belongs to an item of a list stays below its text.
 */
export function formatParagraph(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => breakLine(line, width));
}

function breakLine(line: string, width: number): readonly string[] {
  const [start = ""] = /^ */.exec(line) ?? [];
  const indent = line.trim().startsWith("* ") ? `${start}  ` : start;
  const lines: string[] = [];
  let current = start;
  for (const word of line.split(blanks)) {
    if (sizeOf(current) + sizeOf(word) < width) {
      current += current.trim() === "" ? word : ` ${word}`;
    } else {
      lines.push(current);
      current = indent + word;
    }
  }
  return [...lines, current];
}

/** In bytes, as others count it. */
function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
/** How many spaces are at least behind the cells of a header, and of a row. */
export interface Gaps {
  readonly header: number;
  readonly row: number;
}

/** Columns as kubectl prints them: as wide as their longest cell, three spaces between them. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  gaps: Gaps = { header: 3, row: 3 },
): string {
  const lines = header.length > 0 ? [header, ...rows] : rows;
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(
      ...lines.map(
        (cells) => visibleLength(cells[column] ?? "") + (cells === header ? gaps.header : gaps.row),
      ),
    ),
  );
  return lines.map((cells) => `${formatLine(cells, widths)}\n`).join("");
}

/** How far what has no room in its row is indented below it. */
const stackIndent = "    ";

/**
 * A table for a terminal: of a row that is too wide, the columns at its end are below it, each with its
 * name and broken between words. Without a width it is as wide as it is.
 */
export function formatFitted(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const table = formatTable(header, rows);
  if (width === undefined || widestLine(table) <= width) return table;
  const first = (count: number) => (cells: readonly string[]) => cells.slice(0, count);
  const count = header.findLastIndex((_, last) => {
    const narrower = formatTable(first(last)(header), rows.map(first(last)));
    return last <= 1 || widestLine(narrower) <= width;
  });
  const kept = Math.max(1, count);
  const [head, ...printed] = formatTable(first(kept)(header), rows.map(first(kept))).split("\n");
  const stacked = rows.map((cells, index) => {
    const below = header.slice(kept).flatMap((name, column) => {
      const cell = cells[kept + column] ?? "";
      return cell === "" || cell === "-" ? [] : [`${name}: ${cell}`];
    });
    return [printed[index], ...packed(below, width)].map((line) => `${line}\n`).join("");
  });
  return `${head}\n${stacked.join("")}`;
}

export interface PairsOptions {
  /** Of the terminal; absent where there is none. */
  readonly width?: number | undefined;
  /** Ahead of each name. */
  readonly indent?: string;
  /** How wide the names are where other tables have longer ones. */
  readonly nameWidth?: number;
  /** How many spaces are behind the longest name. */
  readonly gap?: number;
}

/** Short texts side by side below a row, as many as a line has room for; longer ones in several lines. */
function packed(texts: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const line = `${stackIndent}${text}`;
    const joined = `${lines.at(-1)}   ${text}`;
    if (lines.length > 0 && visibleLength(joined) <= width) lines.splice(-1, 1, joined);
    else if (visibleLength(line) <= width) lines.push(line);
    else lines.push(...formatText(text, width, stackIndent));
  }
  return lines;
}

/** What is narrower is not read any more. */
const leastRoom = 20;

/** Names with a text beside each; at a terminal that is too narrow it goes on below itself, or is below its name. */
export function formatPairs(
  pairs: readonly (readonly [name: string, text: string])[],
  { width, indent = "", nameWidth = 0, gap = 3 }: PairsOptions = {},
): string {
  const names = Math.max(nameWidth, ...pairs.map(([name]) => visibleLength(name)));
  const widths = [indent.length + names + gap];
  const [below = 0] = widths;
  const room = width === undefined ? Number.POSITIVE_INFINITY : width - below;
  const blank = " ".repeat(below);
  const lines = pairs.flatMap(([name, text]) => {
    const line = (part: string) => formatLine([`${indent}${name}`, part], widths);
    if (widestLine(text) <= room) return [line(text)];
    if (room < leastRoom) return [line(""), ...formatText(text, width ?? 0, stackIndent)];
    const [first = "", ...more] = formatText(text, room).filter((part) => part !== "");
    return [line(first), ...more.map((part) => `${blank}${part}`)];
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** A text in lines of a width, broken between words and behind commas. */
export function formatText(text: string, width: number, indent = ""): readonly string[] {
  const words = text.replaceAll(/,(?=[^\s,])/g, ", ");
  const room = Math.max(leastRoom, width - indent.length);
  return formatParagraph(words, room).map((line) => `${indent}${line}`);
}

export function widestLine(text: string): number {
  return Math.max(...text.split("\n").map(visibleLength));
}

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map(
      (cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - visibleLength(cell))),
    )
    .join("")
    .trimEnd();
}

/** Colours take no room. */
export function visibleLength(text: string): number {
  return [...text.replaceAll(colourCodes, "")].length;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const colourCodes = /\u001b\[[0-9;]*m/g;
