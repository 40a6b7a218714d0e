import { Command, CommanderError } from "commander";
import type { CommandIo } from "./command.ts";
import { HelpShown, UsageError } from "./errors.ts";

/**
 * Reads the arguments of one command as `declare` says, which names it and adds what it takes.
 * Errors: UsageError; HelpShown after `--help` was answered.
 */
export function parseArguments(
  args: readonly string[],
  io: CommandIo,
  declare: (command: Command) => Command,
): Command {
  const command = declare(new Command())
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeOut: io.write, writeErr: () => {} });
  try {
    return command.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new HelpShown(error.message);
    const why = error.message.replace(/^error: /, "");
    throw new UsageError(`${why}. "${command.name()} --help" says what it takes.`);
  }
}
