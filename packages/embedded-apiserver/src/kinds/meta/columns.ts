import type { TableColumn } from "@rookery/apiserver";
import type { KubeObject } from "@rookery/kube";
import { timeSince } from "@rookery/kube";

/** A column of a kind, whose objects it is given as what they are. */
export function column<T extends object>(
  name: string,
  type: TableColumn["type"],
  value: (object: T, now: Date) => ReturnType<TableColumn["value"]>,
): TableColumn {
  return { name, type, value: (object, now) => value(object as unknown as T, now) };
}

/** The same column, shown in wide output only. */
export function wide(shown: TableColumn): TableColumn {
  return { ...shown, priority: 1 };
}

export const nameColumn: TableColumn = {
  name: "Name",
  type: "string",
  format: "name",
  value: ({ metadata }) => metadata.name ?? "",
};

export const ageColumn: TableColumn = column("Age", "string", ({ metadata }: KubeObject, now) =>
  timeSince(metadata.creationTimestamp, now),
);
