import { runCore } from "@rookery/core";
import type { CommandIo } from "../command.ts";
import { explainUsage } from "../usage.ts";

/** Runs the core until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  await explainUsage("rookery manager core", () => runCore(args, io.write));
}
