import { runNested } from "@rookery/nested";
import type { CommandIo } from "../command.ts";
import { runFlagProgram } from "../flag-program.ts";

const examples = `
Examples:
  rookery manager nested --controllers control-plane     one of the two providers that it is
  rookery manager nested --namespace team-a --v 4        for one namespace, with a log for debugging`;

/** Runs the nested provider until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const name = "rookery manager nested";
  const description =
    "Runs the provider of control planes that are pods of the cluster they are in, until it is asked to end. " +
    'Its manifests come from "rookery install nested".';
  await runFlagProgram({ name, description, examples, run: runNested }, args, io);
}
