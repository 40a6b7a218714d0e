import { operatorVersion } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import { configFlag } from "../config/config-flag.ts";
import { readConfig } from "../config/read-config.ts";
import { ProvidersError } from "../errors.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { bringOperator } from "../operator/bring-operator.ts";
import { findOperator } from "../operator/find-operator.ts";
import { parseArguments } from "../parse-arguments.ts";
import { secondsFlag } from "../seconds-flag.ts";

interface Options extends KubeFlags {
  readonly config?: string;
  readonly image?: string;
  readonly waitTimeout: number;
}

const examples = `
Examples:
  rookery upgrade operator                       to the version of this command
  rookery upgrade operator --image registry.example.com/rookery:next

Its namespace, number of pods, environment and registry stay; providers run on meanwhile.`;

/** Brings the operator to the version of this command. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = parseArguments(args, io, (command) =>
    configFlag(clusterFlags(command))
      .name("rookery upgrade operator")
      .description("Brings the operator to the version of this command, and waits for its pods.")
      .option(
        "--image <image>",
        "the image of this version; the installed one with another tag where absent",
      )
      .addOption(secondsFlag("--wait-timeout <seconds>", "how long", 600))
      .addHelpText("after", examples),
  ).opts<Options>();
  const config = await readConfig(options, io);
  await using connection = await connectTo(options, io);
  const found = await findOperator(connection.client);
  if (!found) {
    const problem = 'there is none in the cluster; "rookery init" installs it';
    throw new ProvidersError("upgrade the operator", [problem]);
  }
  const { image, waitTimeout: timeoutSeconds } = options;
  if (!(await bringOperator(connection.client, found, { config, io, timeoutSeconds, image }))) {
    return io.write(`The operator is ${operatorVersion} already.\n`);
  }
  io.write(`The operator is ${operatorVersion} now; it was ${found.version ?? "unknown"}.\n`);
}
