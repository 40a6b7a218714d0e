import { nearestName } from "@rookery/kube";
import { FlagsError } from "../errors.ts";
import { camelCase, type FlagTable, FlagValueError, type FlagValues } from "./flag.ts";

/** Checks all values together; returns the problems. */
type FlagCheck<Table extends FlagTable> = (values: FlagValues<Table>) => readonly string[];

/** The result of a command line: a request for the help, or the values of all flags. */
export type ParsedFlags<Values> = { readonly help: true } | ({ readonly help: false } & Values);

/**
 * Reads a command line by a table of flags. `--help` has precedence over all others. Errors: a FlagsError with all
 * problems.
 */
export function parseFlags<Table extends FlagTable>(
  table: Table,
  args: readonly string[],
  check: FlagCheck<Table> = () => [],
): ParsedFlags<FlagValues<Table>> {
  const { values: given, problems, help } = new ArgumentReader(args, table);
  if (help) return { help: true };
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

/** The help of a table of flags, with a line for each flag in its order. */
export function flagsHelp(table: FlagTable): string {
  const rows = Object.entries(table).map(([name, { valueName, help, defaultText }]) => ({
    left: `  --${name}${valueName === undefined ? "" : ` ${valueName}`}`,
    right: defaultText === undefined ? help : `${help} (default ${defaultText})`,
  }));
  const width = Math.max(...rows.map(({ left }) => left.length)) + 3;
  return rows.map(({ left, right }) => `${left.padEnd(width)}${right}\n`).join("");
}

/**
 * Reads arguments like Go's flag packages: `--flag=value`, `--flag value`, also with one dash; a switch takes a value
 * after "=" only; "--" ends the flags.
 */
class ArgumentReader {
  readonly values = new Map<string, string[]>();
  readonly problems: string[] = [];
  /** Whether --help or -h is given. */
  help = false;
  readonly #rest: string[];
  readonly #table: FlagTable;

  constructor(args: readonly string[], table: FlagTable) {
    this.#rest = [...args];
    this.#table = table;
    for (let next = this.#rest.shift(); next !== undefined; next = this.#rest.shift()) {
      if (next === "--") for (const argument of this.#rest.splice(0)) this.#unexpected(argument);
      else if (next === "--help" || next === "-h") this.help = true;
      else this.#read(next);
    }
  }

  #read(argument: string): void {
    const [, name, value] = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(argument) ?? [];
    if (name === undefined) this.#unexpected(argument);
    else if (!Object.hasOwn(this.#table, name)) this.#unknown(name, value);
    else if (value !== undefined) this.#add(name, value);
    else this.#addNext(name);
  }

  #addNext(name: string): void {
    const { valueName } = this.#table[name] ?? {};
    const [next] = this.#rest;
    if (valueName === undefined) this.#add(name, "true");
    else if (next === undefined || this.#isFlag(next)) {
      this.problems.push(`--${name}: it needs a value, as in --${name}=${valueName}`);
    } else this.#add(name, this.#rest.shift() ?? "");
  }

  /** A value may start with a dash, but the name of a flag is hardly meant as a value. */
  #isFlag(argument: string): boolean {
    const [, name = ""] = /^--([^=]+)/.exec(argument) ?? [];
    return Object.hasOwn(this.#table, name);
  }

  #add(name: string, value: string): void {
    this.values.set(name, [...(this.values.get(name) ?? []), value]);
  }

  #unknown(name: string, value: string | undefined): void {
    const near = nearestName(name, Object.keys(this.#table));
    const way = near === undefined ? "--help lists them all" : `did you mean --${near}?`;
    this.problems.push(`--${name}: there is no such flag; ${way}`);
    // The next argument is most likely its value.
    const [next = "-"] = this.#rest;
    if (value === undefined && !next.startsWith("-")) this.#rest.shift();
  }

  #unexpected(argument: string): void {
    this.problems.push(`${JSON.stringify(argument)}: flags begin with "--"; nothing else is taken`);
  }
}
