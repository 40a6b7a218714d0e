import { didYouMean } from "@rookery/kube";
import type { CommandIo } from "../command.ts";
import { MissingObjectError } from "../errors.ts";
import { painter } from "../output/colours.ts";
import { formatValue } from "../output/forms.ts";
import { type Column, formatItems } from "./column.ts";
import type { GetArguments } from "./get-arguments.ts";

/** What was found, and how it is shown. */
export interface Found<T> {
  readonly items: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly nameOf: (item: T) => string;
  /** "clusters in namespace team": what is missing where nothing was found. */
  readonly what: string;
  /** What to do where nothing was found. */
  readonly hint: string;
  /** All of it for programs; a list as kubectl prints it where absent. */
  readonly whole?: (items: readonly T[]) => unknown;
}

/** Errors: MissingObjectError where something was named that is not there. */
export function printFound<T>(
  io: CommandIo,
  { names, flags }: GetArguments,
  found: Found<T>,
): void {
  const items = names.length === 0 ? found.items : named(found, names);
  const { output } = flags;
  if (output === "json" || output === "yaml") {
    io.write(formatValue(wholeOf(found, items, names), output));
  } else if (items.length === 0) {
    io.writeError(`There are no ${found.what}. ${found.hint}\n`);
  } else {
    const tools = { paint: painter(io), now: new Date() };
    const width = io.terminal?.columns();
    const { columns } = found;
    io.write(formatItems(items, { columns, isWide: output === "wide", width, ...tools }));
  }
}

function named<T>({ items, nameOf, what }: Found<T>, names: readonly string[]): readonly T[] {
  const known = items.map(nameOf);
  const missing = names.filter((name) => !known.includes(name));
  if (missing.length > 0)
    throw new MissingObjectError(
      missing,
      what,
      missing.map((name) => didYouMean(name, known)).join(""),
    );
  return items.filter((item) => names.includes(nameOf(item)));
}

/** One that was asked for by its name is no list, as with kubectl. */
function wholeOf<T>({ whole }: Found<T>, items: readonly T[], names: readonly string[]): unknown {
  if (whole) return whole(items);
  if (names.length === 1 && items.length === 1) return items[0];
  return { apiVersion: "v1", kind: "List", items, metadata: { resourceVersion: "" } };
}
