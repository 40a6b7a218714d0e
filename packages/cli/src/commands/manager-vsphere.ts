import { runVSphere } from "@rookery/vsphere";
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";

/** Runs the vSphere provider until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  try {
    await runVSphere(args, io.write);
  } catch (error) {
    if (!isFlagsError(error)) throw error;
    throw new UsageError(`${error.message}\n"rookery manager vsphere --help" says what it takes.`);
  }
}

function isFlagsError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && error.code === "Flags";
}
