import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuiltInKind } from "./kind.ts";

/** What Kubernetes says of columns: texts, and for each kind the places of those of its columns. */
interface Descriptions {
  readonly texts: readonly string[];
  readonly columns: Readonly<Record<string, readonly number[]>>;
}

let loaded: Descriptions | undefined;

/** Read when a Table is first asked for. */
function descriptions(): Descriptions {
  const file = join(import.meta.dirname, "../../generated/column-descriptions.json");
  loaded ??= JSON.parse(readFileSync(file, "utf8")) as Descriptions;
  return loaded;
}

/** The kind with columns that say what Kubernetes says of them. */
export function withColumnDescriptions(kind: BuiltInKind): BuiltInKind {
  const columns = kind.columns.map((column, i) => ({
    ...column,
    get description() {
      return columnDescription(kind, i) ?? column.description ?? "";
    },
  }));
  return { ...kind, columns };
}

/** Undefined where nothing is known of the column. */
function columnDescription(kind: BuiltInKind, column: number): string | undefined {
  const { texts, columns } = descriptions();
  const place = columns[`${kind.group}/${kind.kind}`]?.[column];
  return place === undefined ? undefined : texts[place];
}
