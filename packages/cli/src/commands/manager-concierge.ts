import { runConcierge } from "@rookery/concierge";
import type { CommandIo } from "../command.ts";
import { explainUsage } from "../usage.ts";

/** Runs the concierge until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  await explainUsage("rookery manager concierge", () => runConcierge(args, io.write));
}
