import { runNested } from "@rookery/nested";
import type { CommandIo } from "../command.ts";
import { explainUsage } from "../usage.ts";

/** Runs the nested control plane provider until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  await explainUsage("rookery manager nested", () => runNested(args, io.write));
}
