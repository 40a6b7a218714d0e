import type { Paint } from "../output/colours.ts";
import { formatFitted } from "../output/table.ts";

/** What cells are written with. */
interface CellTools {
  readonly paint: Paint;
  readonly now: Date;
}

/** One column of a table; a wide one is there with `-o wide` only. */
export interface Column<T> {
  readonly name: string;
  readonly isWide?: boolean;
  readonly cell: (item: T, tools: CellTools) => string;
}

export interface TableOptions<T> extends CellTools {
  readonly columns: readonly Column<T>[];
  readonly isWide: boolean;
  /** Of the terminal; absent where there is none. */
  readonly width?: number | undefined;
}

/** Nothing said of something is shown as a dash, as an empty cell would move what is behind it. */
export function formatItems<T>(
  items: readonly T[],
  { columns, isWide, width, ...tools }: TableOptions<T>,
): string {
  const shown = columns.filter((column) => isWide || !column.isWide);
  return formatFitted(
    shown.map(({ name }) => name),
    items.map((item) => shown.map(({ cell }) => cell(item, tools) || "-")),
    width,
  );
}

/** "True" is good, "False" is not, and the rest may become either. */
export function paintStatus(status: string | undefined, paint: Paint): string {
  if (!status) return "";
  if (status === "True") return paint("green", status);
  return paint(status === "False" ? "red" : "yellow", status);
}
