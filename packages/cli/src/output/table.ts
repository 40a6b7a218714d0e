const blanks = /[\t\n\f\r ]+/;

/** Wraps lines at a width, between words. Further lines of a list item are indented like its text. */
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

/** In bytes, as clusterctl counts it. */
function sizeOf(text: string): number {
  return Buffer.byteLength(text);
}
/** The minimum numbers of spaces behind the cells of the header and of rows. */
export interface Gaps {
  readonly header: number;
  readonly row: number;
}

/** A table as kubectl prints it: columns as wide as their longest cell, and three spaces. */
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

/** The indentation of cells below their row. */
const stackIndent = "    ";

/**
 * A table for a terminal: the last columns of a table that is too wide are below each row, with their
 * names. Without a width nothing is wrapped.
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
  /** The width of the terminal; absent without one. */
  readonly width?: number | undefined;
  /** The text before each name. */
  readonly indent?: string;
  /** The minimum width of names, to align several tables. */
  readonly nameWidth?: number;
  /** The number of spaces behind the longest name. */
  readonly gap?: number;
}

/** Short texts side by side, as many as fit into a line; longer ones in several lines. */
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

/** The minimum width of a column of text. */
const leastRoom = 20;

/** Names with a text beside each, which is wrapped, or below its name at a narrow terminal. */
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

/** Wraps a text between words and behind commas. */
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

/** The length without color codes. */
export function visibleLength(text: string): number {
  return [...text.replaceAll(colourCodes, "")].length;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const colourCodes = /\u001b\[[0-9;]*m/g;
