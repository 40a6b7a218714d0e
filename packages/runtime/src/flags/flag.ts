import { defineError } from "@rookery/errors";

/** One flag, as data. */
export interface Flag<T> {
  /** One sentence for the help. */
  readonly help: string;
  /** What its value is called in the help, such as "duration"; a switch has none. */
  readonly valueName?: string;
  /** The default as one would write it; nothing where there is none. */
  readonly defaultText?: string;
  /**
   * Reads what was given, in that order; nothing gives the default. Throws a FlagValueError.
   */
  parse(values: readonly string[]): T;
}

/** Flags by name, without the dashes. */
export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** What a table's flags give: `--sync-period` is `syncPeriod`. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: Table[Name] extends Flag<infer T>
    ? T
    : never;
};

/** The name of a flag among the values. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A value that a flag does not take. It is collected with others into a FlagsError. */
export class FlagValueError extends defineError("FlagValue", (given: string, why: string) => ({
  /** What is wrong and what is allowed. */
  message: why,
  given,
})) {}
