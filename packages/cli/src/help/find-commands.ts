import { type CommandSpec, commands } from "../command.ts";

/** The words of a command's name, as typed. */
export const wordsOf = ({ name }: Pick<CommandSpec, "name">): readonly string[] => name.split(" ");

/** Of the commands that the arguments begin with, the one with the longest name. */
export function findCommand(args: readonly string[]): CommandSpec | undefined {
  const isCalled = (name: string) => wordsOf({ name }).every((word, index) => args[index] === word);
  return commands
    .filter(({ name, aliases = [] }) => [name, ...aliases].some(isCalled))
    .toSorted((a, b) => wordsOf(b).length - wordsOf(a).length)[0];
}

/** Flags of many commands that have a value, which may be the next argument. */
const valued: ReadonlySet<string> = new Set([
  ...["--kubeconfig", "--context", "--kubeconfig-context", "-n", "--namespace"],
  ...["-o", "--output", "--config", "--data"],
]);

/** With flags that were typed before a command behind its name, as kubectl takes them, too. */
export function commandFirst(args: readonly string[]): readonly string[] {
  let count = 0;
  while (isFlag(args[count] ?? "")) count += valued.has(args[count] ?? "") ? 2 : 1;
  const rest = args.slice(count);
  const spec = findCommand(rest);
  if (count === 0 || !spec) return args;
  const { length } = wordsOf(spec);
  return [...rest.slice(0, length), ...args.slice(0, count), ...rest.slice(length)];
}

function isFlag(arg: string): boolean {
  return /^--?[A-Za-z]/.test(arg) && !["-h", "--help", "--version"].includes(arg);
}

/** The commands whose names begin with these words, and go on. */
export function commandsBelow(words: readonly string[]): readonly CommandSpec[] {
  return commands.filter((spec) => {
    const own = wordsOf(spec);
    return own.length > words.length && words.every((word, index) => own[index] === word);
  });
}
