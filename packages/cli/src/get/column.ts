import { type KubeObject, timeSince } from "@rookery/kube";
import type { Paint } from "../output/colours.ts";
import { formatFitted } from "../output/table.ts";

interface CellTools {
  readonly paint: Paint;
  readonly now: Date;
}

/** A column of a table; wide ones are for `-o wide` only. */
export interface Column<T> {
  readonly name: string;
  readonly isWide?: boolean;
  readonly cell: (item: T, tools: CellTools) => string;
}

type Item = Pick<KubeObject, "metadata">;

export const namespaceColumn: Column<Item> = {
  name: "NAMESPACE",
  cell: ({ metadata }) => metadata.namespace ?? "",
};
export const nameColumn: Column<Item> = {
  name: "NAME",
  cell: ({ metadata }) => metadata.name ?? "",
};
export const ageColumn: Column<Item> = {
  name: "AGE",
  cell: ({ metadata }, { now }) => timeSince(metadata.creationTimestamp, now),
};

export interface TableOptions<T> extends CellTools {
  readonly columns: readonly Column<T>[];
  readonly isWide: boolean;
  /** The width of the terminal; absent without one. */
  readonly width?: number | undefined;
}

/** An empty cell is printed as a dash, so that the columns behind it can be told apart. */
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

/** "True" in green, "False" in red, and anything else in yellow. */
export function paintStatus(status: string | undefined, paint: Paint): string {
  if (!status) return "";
  if (status === "True") return paint("green", status);
  return paint(status === "False" ? "red" : "yellow", status);
}
