import { runOperator } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import { runFlagProgram } from "../flag-program.ts";

const examples = `
Examples:
  rookery manager operator --kubeconfig ./kubeconfig    from this machine, for a cluster elsewhere
  rookery manager operator --leader-elect               one of several replicas`;

/** Runs the operator until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const name = "rookery manager operator";
  const description =
    "Runs the operator that installs and upgrades providers of Cluster API, until it is asked to end. Its " +
    'manifests come from "rookery install operator".';
  await runFlagProgram({ name, description, examples, run: runOperator }, args, io);
}
