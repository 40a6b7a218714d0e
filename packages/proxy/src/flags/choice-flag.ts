import { type Flag, FlagValueError } from "@rookery/runtime";

interface Settings<T extends string> {
  /** The first is the default. */
  readonly choices: readonly [T, ...T[]];
  readonly help: string;
}

/** One of a few words; of several values the last one counts, as in Go. */
export function choiceFlag<const T extends string>({ choices, help }: Settings<T>): Flag<T> {
  return {
    help,
    valueName: choices.join("|"),
    defaultText: choices[0],
    parse(values) {
      const given = values.at(-1);
      if (given === undefined) return choices[0];
      const choice = choices.find((one) => one === given);
      if (choice) return choice;
      throw new FlagValueError(given, `it must be ${choices.join(" or ")}`);
    },
  };
}
