import { operatorVersion } from "@rookery/operator";
import { readConfig } from "../config/read-config.ts";
import { defineCommand } from "../define-command.ts";
import { ProvidersError } from "../errors.ts";
import { type ConfigFlags, configFlag, waitTimeoutFlag } from "../flags.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { findOperator } from "../operator/find-operator.ts";
import { upgradeOperator } from "../operator/install-operator.ts";

interface Options extends KubeFlags, ConfigFlags {
  readonly image?: string;
  readonly waitTimeout: number;
}

/** Upgrades the operator to the version of this command. */
export const run = defineCommand<Options>({
  description: "Upgrades the operator to the version of this command, and waits for its pods.",
  examples: `  rookery upgrade operator                       to the version of this command
  rookery upgrade operator --image registry.example.com/rookery:next

Its namespace, number of pods, environment and registry stay; providers run on meanwhile.`,
  declare: (command) =>
    waitTimeoutFlag(
      configFlag(clusterFlags(command)).option(
        "--image <image>",
        "the image of this version; the installed one with another tag where absent",
      ),
    ),
  async run(options, io) {
    const config = await readConfig(options, io);
    await using connection = await connectTo(options, io);
    const { client } = connection;
    const found = await findOperator(client);
    if (!found) {
      const problem = 'there is none in the cluster; "rookery init" installs it';
      throw new ProvidersError("upgrade the operator", [problem]);
    }
    const { image, waitTimeout: timeoutSeconds } = options;
    const isUpgraded = await upgradeOperator(found, { client, config, io, timeoutSeconds, image });
    io.write(
      isUpgraded
        ? `The operator is ${operatorVersion} now; it was ${found.version ?? "unknown"}.\n`
        : `The operator is ${operatorVersion} already.\n`,
    );
  },
});
