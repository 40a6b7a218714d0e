import { runVSphere } from "@rookery/vsphere";
import type { CommandIo } from "../command.ts";
import { explainUsage } from "../usage.ts";

/** Runs the vSphere provider until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  await explainUsage("rookery manager vsphere", () => runVSphere(args, io.write));
}
