import { vsphereRelease } from "@rookery/vsphere";
import type { CommandIo } from "../command.ts";
import { printReleaseFile } from "./release-file.ts";

/** One file of a release of the vSphere provider. */
export function run(args: readonly string[], io: CommandIo): void {
  printReleaseFile(args, io, {
    name: "rookery install vsphere",
    description:
      "Prints a file of the vSphere provider's release, for clusterctl or a provider operator; " +
      "its variables are left in it.",
    file: "infrastructure-components.yaml",
    release: vsphereRelease,
  });
}
