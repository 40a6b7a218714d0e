import { type CommandIo, type CommandSpec, commands } from "../command.ts";
import { UsageError } from "../errors.ts";

/** The words of a command's name, as typed. */
export const wordsOf = ({ name }: Pick<CommandSpec, "name">): readonly string[] => name.split(" ");

/** Of the commands whose name the arguments begin with, the one with the longest name. */
export function findCommand(args: readonly string[]): CommandSpec | undefined {
  const isCalled = (name: string) => startsWith(args, wordsOf({ name }));
  return commands
    .filter(({ name, aliases = [] }) => [name, ...aliases].some(isCalled))
    .toSorted((a, b) => wordsOf(b).length - wordsOf(a).length)[0];
}

/** Imports a command and runs it with the arguments behind its name. */
export async function runCommand(
  spec: CommandSpec,
  args: readonly string[],
  io: CommandIo,
): Promise<void> {
  const { run } = await spec.load();
  await run(args, io, `rookery ${spec.name}`);
}

/** Flags of many commands that have a value, which may be the next argument. */
const flagsWithValue: ReadonlySet<string> = new Set([
  ...["--kubeconfig", "--context", "--kubeconfig-context", "-n", "--namespace"],
  ...["-o", "--output", "--config", "--data"],
]);

/** Moves flags in front of a command behind its name, as kubectl accepts them in both places. */
export function commandFirst(args: readonly string[]): readonly string[] {
  let count = 0;
  while (isFlag(args[count] ?? "")) count += flagsWithValue.has(args[count] ?? "") ? 2 : 1;
  const rest = args.slice(count);
  const spec = findCommand(rest);
  if (count === 0 || !spec) return args;
  const { length } = wordsOf(spec);
  return [...rest.slice(0, length), ...args.slice(0, count), ...rest.slice(length)];
}

function isFlag(arg: string): boolean {
  return /^--?[A-Za-z]/.test(arg) && !["-h", "--help", "--version"].includes(arg);
}

/** The commands whose names have more words behind these. */
export function commandsBelow(words: readonly string[]): readonly CommandSpec[] {
  return commands.filter((spec) => {
    const own = wordsOf(spec);
    return own.length > words.length && startsWith(own, words);
  });
}

/** The error for an unknown command, with the most similar one. */
export async function unknownCommand(args: readonly string[]): Promise<UsageError> {
  const [first = ""] = args;
  if (first.startsWith("-")) {
    return new UsageError(
      `there is no command behind ${first}. "rookery --help" lists the commands.`,
    );
  }
  const known = knownWords(args);
  const typed = args.slice(0, known.length + 1).filter((word) => !word.startsWith("-"));
  // Imported here, as no other command line needs it.
  const { nearestName } = await import("@rookery/kube");
  const names = commands.map((spec) =>
    wordsOf(spec)
      .slice(0, known.length + 1)
      .join(" "),
  );
  const near = nearestName(typed.join(" "), [...new Set(names)]);
  const list = ["rookery", ...known, "--help"].join(" ");
  const meant = near ? ` Did you mean "rookery ${near}"?` : "";
  return new UsageError(
    `there is no command "${typed.join(" ")}".${meant} "${list}" lists the commands.`,
  );
}

/** The first arguments that some command's name begins with. */
export function knownWords(args: readonly string[]): readonly string[] {
  const length = args.findIndex((_, index) => commandsBelow(args.slice(0, index + 1)).length === 0);
  return length === -1 ? args : args.slice(0, length);
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, index) => words[index] === word);
}
