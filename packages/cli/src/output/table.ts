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

function formatLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map(
      (cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - visibleLength(cell))),
    )
    .join("")
    .trimEnd();
}

/** Colours take no room. */
function visibleLength(text: string): number {
  return [...text.replaceAll(colourCodes, "")].length;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const colourCodes = /\u001b\[[0-9;]*m/g;
