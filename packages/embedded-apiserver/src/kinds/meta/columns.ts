import type { TableColumn } from "@rookery/apiserver";
import { type KubeObject, timeSince } from "@rookery/kube";

type Cell<T> = (object: T, now: Date) => ReturnType<TableColumn["value"]>;
type Cells<T> = Readonly<Record<string, Cell<T>>>;

/** A column of a kind whose objects are of type `T`. */
export function column<T extends object>(
  name: string,
  type: TableColumn["type"],
  value: Cell<T>,
): TableColumn {
  return { name, type, value: (object, now) => value(object as unknown as T, now) };
}

/** Columns of text, by their names. */
export function columns<T extends object>(cells: Cells<T>): TableColumn[] {
  return Object.entries(cells).map(([name, cell]) => column(name, "string", cell));
}

/** Columns of text that only wide output shows. */
export function wideColumns<T extends object>(cells: Cells<T>): TableColumn[] {
  return columns(cells).map((each) => ({ ...each, priority: 1 }));
}

/** Columns of integers. */
export function countColumns<T extends object>(
  cells: Readonly<Record<string, (object: T) => number>>,
): TableColumn[] {
  return Object.entries(cells).map(([name, cell]) => column(name, "integer", cell));
}

export const nameColumn: TableColumn = {
  name: "Name",
  type: "string",
  format: "name",
  value: ({ metadata }) => metadata.name ?? "",
};

/** The column of kinds that declare none but the name. */
export const createdAtColumn: TableColumn = {
  name: "Created At",
  type: "date",
  value: ({ metadata }) => metadata.creationTimestamp ?? null,
};

export const ageColumn: TableColumn = column("Age", "string", ({ metadata }: KubeObject, now) =>
  timeSince(metadata.creationTimestamp, now),
);
