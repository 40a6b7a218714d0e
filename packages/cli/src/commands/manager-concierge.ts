import { runConcierge } from "@rookery/concierge";
import type { CommandIo } from "../command.ts";
import { runFlagProgram } from "../flag-program.ts";

const examples = `
Examples:
  rookery manager concierge --api-group-suffix team1.example.com    under API groups of its own
  rookery manager concierge --v 4                                   with a log for debugging`;

/** Runs a concierge until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const name = "rookery manager concierge";
  const description =
    "Runs the aggregated API that trades tokens for client certificates, until it is asked to end. Its " +
    'manifests come from "rookery install concierge".';
  await runFlagProgram({ name, description, examples, run: runConcierge }, args, io);
}
