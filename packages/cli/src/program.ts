import { messageOf } from "@rookery/errors";
import packageJson from "../package.json" with { type: "json" };
import type { CommandIo, CommandSpec } from "./command.ts";
import { HelpShown, UsageError } from "./errors.ts";
import { asCalled, type ProgramName } from "./help/as-called.ts";
import { commandFirst, commandsBelow, findCommand, wordsOf } from "./help/find-commands.ts";
import { linesBelow, overview, subCommands } from "./help/overview.ts";
import { knownWords, unknownCommand } from "./help/unknown-command.ts";
import { printable } from "./output/printable.ts";

/**
 * Runs the `rookery` command line; without arguments it says what there is. Returns the exit code:
 * 1 after a failure, 2 where the arguments are wrong.
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

/** Help names commands as they are to be typed; what else is written stays as it is. */
function called(io: CommandIo, program: ProgramName): CommandIo {
  return { ...io, write: (text) => io.write(asCalled(text, program)) };
}

async function dispatch(typed: readonly string[], io: CommandIo): Promise<void> {
  const args = commandFirst(typed);
  const [first = "--help"] = args;
  if (first === "--version") return io.write(`${packageJson.version}\n`);
  if (isHelp(first)) return io.write(overview(io));
  if (first.startsWith("__") && (await answerPrograms(first, args.slice(1), io))) return;
  const spec = findCommand(args);
  if (spec) return call(spec, args.slice(wordsOf(spec).length), io);
  const words = knownWords(args);
  const [next = "--help"] = args.slice(words.length);
  if (words.length > 0 && isHelp(next)) return io.write(subCommands(words, io));
  throw await unknownCommand(args);
}

/** What shells and the generator of golden files ask; false where it is nothing of that. */
async function answerPrograms(
  what: string,
  args: readonly string[],
  io: CommandIo,
): Promise<boolean> {
  if (what === "__complete") {
    const { complete } = await import("./completion/complete.ts");
    await complete(args, io);
    return true;
  }
  if (what !== "__help") return false;
  const { helpTexts } = await import("./help/help-texts.ts");
  io.write(JSON.stringify(Object.fromEntries(await helpTexts(rookery))));
  return true;
}

/** A command that others begin with names them in its help. */
async function call(spec: CommandSpec, args: readonly string[], io: CommandIo): Promise<void> {
  const { run } = await spec.load();
  try {
    await run(args, io);
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
