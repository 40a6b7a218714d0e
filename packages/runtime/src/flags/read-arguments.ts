import { nearestName } from "@rookery/kube";
import type { FlagTable } from "./flag.ts";

/** What the command line says, before values are understood. */
export interface Arguments {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly string[];
  /** Whether --help or -h is among it. */
  readonly help: boolean;
}

/**
 * Takes arguments apart as Go's flag packages do: `--flag=value`, `--flag value`, with one dash as
 * well; a switch takes a value after "=" only; "--" ends the flags.
 */
export function readArguments(args: readonly string[], table: FlagTable): Arguments {
  const reader = new ArgumentReader(args, table);
  reader.readAll();
  return reader;
}

class ArgumentReader implements Arguments {
  readonly values = new Map<string, string[]>();
  readonly problems: string[] = [];
  help = false;
  readonly #rest: string[];
  readonly #table: FlagTable;

  constructor(args: readonly string[], table: FlagTable) {
    this.#rest = [...args];
    this.#table = table;
  }

  readAll(): void {
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

  /** A value may begin with a dash, but what names a flag was hardly meant as a value. */
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
    // What follows is most likely its value.
    const [next = "-"] = this.#rest;
    if (value === undefined && !next.startsWith("-")) this.#rest.shift();
  }

  #unexpected(argument: string): void {
    this.problems.push(`${JSON.stringify(argument)}: flags begin with "--"; nothing else is taken`);
  }
}
