import { runOperator } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";

/** Runs the provider operator until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  try {
    await runOperator(args, io.write);
  } catch (error) {
    if (!isFlagsError(error)) throw error;
    throw new UsageError(`${error.message}\n"rookery manager operator --help" says what it takes.`);
  }
}

function isFlagsError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "Flags";
}
