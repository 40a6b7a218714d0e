import { Command, CommanderError } from "commander";
import type { CommandIo } from "./command.ts";
import { HelpShown, UsageError } from "./errors.ts";

/** Lines are easier to read when they end. */
const helpWidth = 100;

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
    .helpOption("-h, --help", "what this command takes")
    .configureOutput({
      writeOut: io.write,
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(io.terminal?.columns() ?? helpWidth, helpWidth),
    });
  io.onDeclared?.(command);
  try {
    return command.parse(asCommanderReads(args), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new HelpShown(error.message);
    const why = error.message.replace(/^error: /, "").replace(/\.$/, "");
    throw new UsageError(`${why}. "${command.name()} --help" says what it takes.`);
  }
}

/** The value of `--replicas`. Errors: UsageError. */
export function readReplicas(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`--replicas "${text}" is not a whole number from 1 to 999.`);
}

/** `-o=json`, as kubectl's users may write it. */
function asCommanderReads(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  return args.flatMap((arg, index) => {
    const [, flag = "", value = ""] = /^(-[A-Za-z])=(.*)$/s.exec(arg) ?? [];
    return flag === "" || (end !== -1 && index > end) ? [arg] : [flag, value];
  });
}
