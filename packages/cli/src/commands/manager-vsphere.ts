import { runVSphere } from "@rookery/vsphere";
import type { CommandIo } from "../command.ts";
import { runFlagProgram } from "../flag-program.ts";

const examples = `
Examples:
  rookery manager vsphere --namespace team-a                      for one namespace only
  rookery manager vsphere --credentials-dir /etc/capv --v 4       with credentials from files`;

/** Runs the vSphere provider until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const name = "rookery manager vsphere";
  const description =
    "Runs the vSphere provider, whose clusters have identities of their own, until it is asked to end. Its " +
    'manifests come from "rookery install vsphere".';
  await runFlagProgram({ name, description, examples, run: runVSphere }, args, io);
}
