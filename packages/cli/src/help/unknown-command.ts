import { commands } from "../command.ts";
import { UsageError } from "../errors.ts";
import { commandsBelow, wordsOf } from "./find-commands.ts";

/** Refuses what is no command, with the one that was probably meant. */
export async function unknownCommand(args: readonly string[]): Promise<UsageError> {
  const [first = ""] = args;
  if (first.startsWith("-")) {
    return new UsageError(
      `there is no command behind ${first}. "rookery --help" lists the commands.`,
    );
  }
  const known = knownWords(args);
  const typed = args.slice(0, known.length + 1).filter((word) => !word.startsWith("-"));
  const near = await nearest(typed.join(" "), known);
  const list = ["rookery", ...known, "--help"].join(" ");
  const meant = near ? ` Did you mean "rookery ${near}"?` : "";
  return new UsageError(
    `there is no command "${typed.join(" ")}".${meant} "${list}" lists the commands.`,
  );
}

/** How much of what was typed begins some command. */
export function knownWords(args: readonly string[]): readonly string[] {
  const length = args.findIndex((_, index) => commandsBelow(args.slice(0, index + 1)).length === 0);
  return length === -1 ? args : args.slice(0, length);
}

/** Of the commands and of the words that commands begin with. */
async function nearest(typed: string, known: readonly string[]): Promise<string | undefined> {
  // Loaded only here: nobody else pays for it.
  const { nearestName } = await import("@rookery/kube");
  const names = commands.map((spec) =>
    wordsOf(spec)
      .slice(0, known.length + 1)
      .join(" "),
  );
  return nearestName(typed, [...new Set(names)]);
}
