import { messageOf } from "@rookery/errors";
import packageJson from "../package.json" with { type: "json" };
import type { CommandIo, CommandSpec } from "./command.ts";
import { HelpShown, UsageError } from "./errors.ts";
import { asCalled, type ProgramName } from "./help/as-called.ts";
import {
  commandFirst,
  commandsBelow,
  findCommand,
  knownWords,
  runCommand,
  unknownCommand,
  wordsOf,
} from "./help/find-commands.ts";
import { linesBelow, overview, subCommands } from "./help/overview.ts";
import { printable } from "./output/printable.ts";

/**
 * Runs the `rookery` command line; without arguments it prints the overview. Returns the exit code:
 * 1 after a failure, 2 for wrong arguments.
 */
export async function rookery(
  args: readonly string[],
  outside: CommandIo,
  program: ProgramName = "rookery",
): Promise<number> {
  const io: CommandIo = {
    ...outside,
    write: (text) => outside.write(printable(text)),
    writeError: (text) => outside.writeError(printable(text)),
    unfiltered: outside,
  };
  try {
    const isHelpText = args.length === 0 || asksHelp(args);
    await dispatch(asHelp(args), isHelpText ? called(io, program) : io);
    return 0;
  } catch (error) {
    if (error instanceof HelpShown) return 0;
    const message = messageOf(error);
    io.writeError(`${program}: ${asCalled(message, program)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Help names commands as the user has to type them; other output stays as it is. */
function called(io: CommandIo, program: ProgramName): CommandIo {
  return { ...io, write: (text) => io.write(asCalled(text, program)) };
}

async function dispatch(typed: readonly string[], io: CommandIo): Promise<void> {
  const args = commandFirst(typed);
  const [first = "--help", ...behind] = args;
  if (first === "--version") return io.write(`${packageJson.version}\n`);
  if (isHelp(first)) return io.write(overview(io));
  const internal = Object.hasOwn(internalCommands, first) ? internalCommands[first] : undefined;
  if (internal) return internal(behind, io);
  const spec = findCommand(args);
  if (spec) return call(spec, args.slice(wordsOf(spec).length), io);
  const words = knownWords(args);
  const [next = "--help"] = args.slice(words.length);
  if (words.length > 0 && isHelp(next)) return io.write(subCommands(words, io));
  throw await unknownCommand(args);
}

/** Called by the completion scripts of shells, and by `npm run generate`. */
const internalCommands: Readonly<
  Record<string, (args: readonly string[], io: CommandIo) => Promise<void>>
> = {
  async __complete(args, io) {
    const { complete } = await import("./completion/complete.ts");
    await complete(args, io);
  },
  async __help(_, io) {
    const { helpTexts } = await import("./help/golden-texts.ts");
    io.write(JSON.stringify(Object.fromEntries(await helpTexts(rookery))));
  },
  async __manifests(_, io) {
    const { shippedManifests } = await import("./help/golden-texts.ts");
    io.write(JSON.stringify(Object.fromEntries(await shippedManifests(rookery))));
  },
};

/** The help of a command lists the commands below it. */
async function call(spec: CommandSpec, args: readonly string[], io: CommandIo): Promise<void> {
  try {
    await runCommand(spec, args, io);
  } finally {
    const hasMore = asksHelp(args) && commandsBelow(wordsOf(spec)).length > 0;
    if (hasMore) io.write(`\nMore commands:\n${linesBelow(wordsOf(spec), io)}`);
  }
}

/** `rookery help move` is `rookery move --help`. */
function asHelp(args: readonly string[]): readonly string[] {
  const [first, ...words] = args;
  return first === "help" ? [...words, "--help"] : args;
}

const isHelp = (word: string): boolean => ["-h", "--help"].includes(word);

function asksHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return asHelp(args)
    .slice(0, end === -1 ? undefined : end)
    .some(isHelp);
}
