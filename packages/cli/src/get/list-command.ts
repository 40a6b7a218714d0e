import { didYouMean } from "@rookery/kube";
import type { CommandIo, CommandModule } from "../command.ts";
import { defineCommand } from "../define-command.ts";
import { MissingObjectError, UsageError } from "../errors.ts";
import { type Connection, connectTo, type KubeFlags, kubeFlags } from "../kube-flags.ts";
import { painter } from "../output/colours.ts";
import { type Form, formatFor, isForPrograms, outputFlag } from "../output/forms.ts";
import { type Column, formatItems } from "./column.ts";

interface ListFlags extends KubeFlags {
  readonly allNamespaces?: boolean;
  readonly output?: Form;
}

/** The items of a list, and how they are printed. */
interface Listing<T> {
  readonly items: readonly T[];
  readonly columns: readonly Column<T>[];
  readonly nameOf: (item: T) => string;
  /** What an empty list lacks: "clusters in namespace team". */
  readonly what: string;
  /** Printed below an empty list. */
  readonly hint: string;
  /** All items for programs; a List as kubectl prints it where absent. */
  readonly toValue?: (items: readonly T[]) => unknown;
  /** Printed to the error output, below the list. */
  readonly note?: string;
}

interface ListCommand<T> {
  readonly description: string;
  readonly examples: string;
  readonly list: (connection: Connection, flags: ListFlags) => Promise<Listing<T>>;
}

/** A command that lists objects. Throws MissingObjectError for a name that is not in the list. */
export function listCommand<T>(about: ListCommand<T>): CommandModule["run"] {
  return defineCommand<ListFlags>({
    ...about,
    declare: (command) =>
      outputFlag(
        kubeFlags(command.argument("[names...]", "only these")).option(
          "-A, --all-namespaces",
          "of all namespaces",
        ),
        ["table", "wide", "json", "yaml"],
      ),
    async run(flags, io, names) {
      if (flags.allNamespaces && flags.namespace !== undefined) {
        throw new UsageError("--namespace and --all-namespaces do not go together.");
      }
      await using connection = await connectTo(flags, io);
      const listing = await about.list(connection, flags);
      print(io, { ...listing, items: named(listing, names) }, { names, ...flags });
      if (listing.note) io.writeError(listing.note);
    },
  });
}

function named<T>({ items, nameOf, what }: Listing<T>, names: readonly string[]): readonly T[] {
  if (names.length === 0) return items;
  const known = items.map(nameOf);
  const missing = names.filter((name) => !known.includes(name));
  const meant = missing.map((name) => didYouMean(name, known)).join("");
  if (missing.length > 0) throw new MissingObjectError(missing, what, meant);
  return items.filter((item) => names.includes(nameOf(item)));
}

function print<T>(
  io: CommandIo,
  { items, columns, what, hint, toValue }: Listing<T>,
  { names, output }: Pick<ListFlags, "output"> & { readonly names: readonly string[] },
): void {
  if (items.length === 0 && !isForPrograms(output)) {
    io.writeError(`There are no ${what}. ${hint}\n`);
    return;
  }
  // As with kubectl, one object that was named is no list.
  const isOne = names.length === 1 && items.length === 1;
  const list = { apiVersion: "v1", kind: "List", items, metadata: { resourceVersion: "" } };
  const value = toValue ? toValue(items) : isOne ? items[0] : list;
  const table = () =>
    formatItems(items, {
      columns,
      isWide: output === "wide",
      width: io.terminal?.columns(),
      paint: painter(io),
      now: new Date(),
    });
  io.write(formatFor(output, value, table));
}
