import { runCore } from "@rookery/core";
import type { CommandIo } from "../command.ts";
import { runFlagProgram } from "../flag-program.ts";

const examples = `
Examples:
  rookery manager core --kubeconfig ./kubeconfig --webhook-port 0    the controllers alone, from this machine
  rookery manager core --namespace team-a,team-b                     for some namespaces only`;

/** Runs the core until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const name = "rookery manager core";
  const description =
    "Runs what the embedded mode needs of Cluster API's core, until it is asked to end. Its manifests come " +
    'from "rookery install core".';
  await runFlagProgram({ name, description, examples, run: runCore }, args, io);
}
