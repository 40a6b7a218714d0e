import { runProxy } from "@rookery/proxy";
import type { CommandIo } from "../command.ts";
import { explainUsage } from "../usage.ts";

/** Stands between an app and the API server until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  await explainUsage("rookery proxy", () => runProxy(args, io.write));
}
