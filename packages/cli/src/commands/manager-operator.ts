import { runOperator } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import { explainUsage } from "../usage.ts";

/** Runs the provider operator until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  await explainUsage("rookery manager operator", () => runOperator(args, io.write));
}
