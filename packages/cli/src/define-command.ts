import { Command, CommanderError } from "commander";
import type { CommandIo, CommandModule } from "./command.ts";
import { HelpShown, UsageError } from "./errors.ts";
import { formatExamples } from "./flag-program.ts";
import { withPlainBooleans } from "./flags.ts";

/** A command as data: its help, its flags and arguments, and its handler. */
export interface CommandDefinition<Options extends object> {
  readonly description: string;
  /** The lines below the heading "Examples:". */
  readonly examples: string;
  /** Adds flags and arguments; a command without any has none. */
  readonly declare?: (command: Command, io: CommandIo) => Command;
  /** Throws UsageError for arguments that contradict each other. */
  readonly run: (options: Options, io: CommandIo, args: readonly string[]) => void | Promise<void>;
}

/** Longer lines are hard to read. */
const helpWidth = 100;

/** Makes a module of `commands/`: its `run` parses the arguments and calls the handler. */
export function defineCommand<Options extends object = object>({
  description,
  examples,
  declare = (command) => command,
  run,
}: CommandDefinition<Options>): CommandModule["run"] {
  return async (args, io, name) => {
    const command = declare(new Command(name), io)
      .description(description)
      .addHelpText("after", formatExamples(examples));
    parse(command, args, io);
    await run(command.opts<Options>(), io, command.args);
  };
}

/** Throws UsageError, or HelpShown after `--help`. */
function parse(command: Command, args: readonly string[], io: CommandIo): void {
  command
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
    command.parse(withSeparateValues(withPlainBooleans(args, command)), { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new HelpShown(error.message);
    const why = error.message.replace(/^error: /, "").replace(/\.$/, "");
    throw new UsageError(`${why}. "${command.name()} --help" says what it takes.`);
  }
}

/** Splits `-o=json`, which kubectl accepts and Commander does not. */
function withSeparateValues(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  return args.flatMap((arg, index) => {
    const [, flag = "", value = ""] = /^(-[A-Za-z])=(.*)$/s.exec(arg) ?? [];
    return flag === "" || (end !== -1 && index > end) ? [arg] : [flag, value];
  });
}
