import { nestedRelease } from "@rookery/nested";
import type { CommandIo } from "../command.ts";
import { printReleaseFile } from "./release-file.ts";

/** One file of a release of the nested provider. */
export function run(args: readonly string[], io: CommandIo): void {
  printReleaseFile(args, io, {
    name: "rookery install nested",
    description:
      "Prints a file of the nested control plane provider's release, for clusterctl or a provider " +
      "operator; its variables are left in it.",
    file: "control-plane-components.yaml",
    release: nestedRelease,
  });
}
