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
  readonly waitTimeout: number;
}

const examples = `
Examples:
  rookery upgrade operator                       to the version of this command

Its namespace, number of pods and environment stay; providers run on meanwhile.`;

/** Brings the operator to the version of this command. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = parseArguments(args, io, (command) =>
    configFlag(clusterFlags(command))
      .name("rookery upgrade operator")
      .description("Brings the operator to the version of this command, and waits for its pods.")
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
  const timeoutSeconds = options.waitTimeout;
  if (!(await bringOperator(connection.client, found, { config, io, timeoutSeconds }))) {
    return io.write(`The operator is ${operatorVersion} already.\n`);
  }
  io.write(`The operator is ${operatorVersion} now; it was ${found.version ?? "unknown"}.\n`);
}
