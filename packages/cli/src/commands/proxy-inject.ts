import { readFile } from "node:fs/promises";
import { runInject } from "@rookery/proxy";
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";

/** Prints the manifests of one instance of an app, ready for `kubectl apply -f -`. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  try {
    await runInject(args, {
      write: io.write,
      warn: io.writeError,
      readFile: (path) => readFile(path, "utf8"),
      readInput: io.readInput,
    });
  } catch (error) {
    if (!isFlagsError(error)) throw error;
    throw new UsageError(`${error.message}\n"rookery proxy inject --help" says what it takes.`);
  }
}

function isFlagsError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "Flags";
}
