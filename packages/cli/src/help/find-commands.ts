import { type CommandSpec, commands } from "../command.ts";

/** The words of a command's name, as typed. */
export const wordsOf = ({ name }: Pick<CommandSpec, "name">): readonly string[] => name.split(" ");

/** Of the commands that the arguments begin with, the one with the longest name. */
export function findCommand(args: readonly string[]): CommandSpec | undefined {
  return commands
    .filter((spec) => wordsOf(spec).every((word, index) => args[index] === word))
    .toSorted((a, b) => wordsOf(b).length - wordsOf(a).length)[0];
}

/** The commands whose names begin with these words, and go on. */
export function commandsBelow(words: readonly string[]): readonly CommandSpec[] {
  return commands.filter((spec) => {
    const own = wordsOf(spec);
    return own.length > words.length && words.every((word, index) => own[index] === word);
  });
}
