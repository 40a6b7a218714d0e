import { runProxy } from "@rookery/proxy";
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";

/** Stands between an app and the API server until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  try {
    await runProxy(args, io.write);
  } catch (error) {
    if (!isFlagsError(error)) throw error;
    throw new UsageError(`${error.message}\n"rookery proxy --help" says what it takes.`);
  }
}

function isFlagsError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "Flags";
}
