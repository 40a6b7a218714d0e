import type { CommandIo, CommandModule } from "./command.ts";
import { UsageError } from "./errors.ts";

/** A program that parses its own flags, which are those of its manifests. */
interface FlagProgram {
  /** The head of its help; absent where the program prints one itself. */
  readonly description?: string;
  readonly examples: string;
  readonly run: (
    args: readonly string[],
    write: CommandIo["write"],
    io: CommandIo,
  ) => Promise<void>;
}

/** The command of such a program. It throws UsageError with all problems of the flags. */
export function flagProgram({ description, examples, run }: FlagProgram): CommandModule["run"] {
  return async (args, io, name) => {
    const isHelp = args.some((arg) => /^--?h(elp)?$/.test(arg));
    const head = description ? `Usage: ${name} [flags]\n\n${description}\n\nFlags:\n` : "";
    const writeHelp = (text: string) =>
      io.write(`${head}${text.trimEnd()}\n${formatExamples(examples)}\n`);
    try {
      await run(args, isHelp ? writeHelp : io.write, io);
    } catch (error) {
      if (!isFlagsError(error)) throw error;
      throw new UsageError(`${error.message}\n"${name} --help" says what it takes.`);
    }
  };
}

function isFlagsError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "Flags";
}

/** The end of a command's help. */
export function formatExamples(lines: string): string {
  return `\nExamples:\n${lines}`;
}
