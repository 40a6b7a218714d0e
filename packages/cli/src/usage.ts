import { UsageError } from "./errors.ts";

/** Runs a program that reads its own flags: what it finds wrong with them is a UsageError. */
export async function explainUsage(command: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isFlagsError(error)) throw error;
    throw new UsageError(`${error.message}\n"${command} --help" says what it takes.`);
  }
}

function isFlagsError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "Flags";
}
