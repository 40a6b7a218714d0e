import { defineError } from "@rookery/errors";

/** A flag as data. */
export interface Flag<T> {
  /** One sentence for the help. */
  readonly help: string;
  /** The name of the value in the help, such as "duration"; a switch has none. */
  readonly valueName?: string;
  /** The default for the help. */
  readonly defaultText?: string;
  /** Reads the given values, in their order; returns the default if there are none. Errors: FlagValueError. */
  parse(values: readonly string[]): T;
}

/** Flags by name, without the dashes. */
export type FlagTable = Readonly<Record<string, Flag<unknown>>>;

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The values of a table of flags: `--sync-period` is `syncPeriod`. */
export type FlagValues<Table extends FlagTable> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: Table[Name] extends Flag<infer T>
    ? T
    : never;
};

/** The name of the value of a flag. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** An invalid value of a flag. A FlagsError reports all of them. */
export class FlagValueError extends defineError("FlagValue", (given: string, why: string) => ({
  message: why,
  given,
})) {}
