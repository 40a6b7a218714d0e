import { coreRelease } from "@rookery/core";
import type { CommandIo } from "../command.ts";
import { printReleaseFile } from "./release-file.ts";

/** One file of a release of the core. */
export function run(args: readonly string[], io: CommandIo): void {
  printReleaseFile(args, io, {
    name: "rookery install core",
    description:
      "Prints a file of the release of the embedded mode's own core, for clusterctl or a provider " +
      "operator. On a real cluster use the core of Cluster API itself.",
    file: "core-components.yaml",
    release: coreRelease,
  });
}
