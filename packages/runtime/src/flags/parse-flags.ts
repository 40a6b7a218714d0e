import { FlagsError } from "../errors.ts";
import { camelCase, type FlagTable, FlagValueError, type FlagValues } from "./flag.ts";
import { readArguments } from "./read-arguments.ts";

/** Looks at all values together; returns what does not fit. */
export type FlagCheck<Table extends FlagTable> = (values: FlagValues<Table>) => readonly string[];

/** What the command line asks for: the help, or values for all flags. */
export type ParsedFlags<Values> = { readonly help: true } | ({ readonly help: false } & Values);

/**
 * Reads a command line by a table of flags. `--help` wins over everything else. Throws a FlagsError
 * that names all problems at once.
 */
export function parseFlags<Table extends FlagTable>(
  table: Table,
  args: readonly string[],
  check: FlagCheck<Table> = () => [],
): ParsedFlags<FlagValues<Table>> {
  const { values: given, problems: found, help } = readArguments(args, table);
  if (help) return { help };
  const problems = [...found];
  const values: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(table)) {
    try {
      values[camelCase(name)] = flag.parse(given.get(name) ?? []);
    } catch (error) {
      if (!(error instanceof FlagValueError)) throw error;
      problems.push(`--${name}=${error.given}: ${error.message}`);
      values[camelCase(name)] = flag.parse([]);
    }
  }
  problems.push(...check(values as FlagValues<Table>));
  if (problems.length > 0) throw new FlagsError(problems);
  return { help: false, ...(values as FlagValues<Table>) };
}
