import type { CommandIo } from "./command.ts";
import { UsageError } from "./errors.ts";

/** A program that reads its own flags, as managers do: who starts it writes them into a manifest. */
export interface FlagProgram {
  readonly name: string;
  /** What its help begins with, where the program does not say it itself. */
  readonly description?: string;
  /** What its help ends with. */
  readonly examples: string;
  readonly run: (args: readonly string[], write: CommandIo["write"]) => Promise<void>;
}

/** Errors: UsageError that names all that is wrong with its flags. */
export async function runFlagProgram(
  { name, description, examples, run }: FlagProgram,
  args: readonly string[],
  io: CommandIo,
): Promise<void> {
  const asksHelp = args.some((arg) => /^--?h(elp)?$/.test(arg));
  const helpOf = (text: string) => {
    const head = description ? `Usage: ${name} [flags]\n\n${description}\n\nFlags:\n` : "";
    return `${head}${text.trimEnd()}\n${examples}\n`;
  };
  try {
    await run(args, asksHelp ? (text) => io.write(helpOf(text)) : io.write);
  } catch (error) {
    if (!isFlagsError(error)) throw error;
    throw new UsageError(`${error.message}\n"${name} --help" says what it takes.`);
  }
}

function isFlagsError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "Flags";
}
