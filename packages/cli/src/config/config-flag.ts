import type { Command } from "commander";

export interface ConfigFlags {
  readonly config?: string;
}

/** Adds `--config`, the file that `readConfig` reads. */
export function configFlag(command: Command): Command {
  return command.option(
    "--config <file>",
    "a configuration file in clusterctl's form, or its https URL; rookery.yaml or clusterctl.yaml of " +
      "$XDG_CONFIG_HOME/cluster-api or ~/.cluster-api where absent",
  );
}
