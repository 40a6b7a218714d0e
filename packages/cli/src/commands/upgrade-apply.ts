import { Option } from "commander";
import type { CommandIo } from "../command.ts";
import { configFlag } from "../config/config-flag.ts";
import { readConfig } from "../config/read-config.ts";
import { UsageError } from "../errors.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { formatValue } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";
import { formatProviderKey } from "../providers/declared-providers.ts";
import {
  flagOf,
  namedProviders,
  type ProviderFlags,
  providerFlags,
} from "../providers/provider-flags.ts";
import { secondsFlag } from "../seconds-flag.ts";
import { applyUpgrade } from "../upgrade/apply-upgrade.ts";
import type { UpgradeRequest } from "../upgrade/begin-upgrade.ts";

interface Options extends ProviderFlags, KubeFlags {
  readonly config?: string;
  readonly contract?: string;
  readonly waitTimeout: number;
  readonly output?: "json";
}

const examples = `
Examples:
  rookery upgrade apply --contract v1beta2                     all providers to their newest of a contract
  rookery upgrade apply --core cluster-api:v1.13.6 \\
    -b kubeadm:v1.13.6 -c kubeadm:v1.13.6                      to versions that you choose

An upgrade that was killed goes on when the same command is run again.`;

/** Upgrades providers as one transaction, and goes on with one that was killed. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = readOptions(args, io);
  const request = requestOf(options);
  const config = await readConfig(options, io);
  await using connection = await connectTo(options, io);
  const { client } = connection;
  const timeoutSeconds = options.waitTimeout;
  const applied = await applyUpgrade(request, { client, io, config, timeoutSeconds });
  if (!applied) return io.write("All of it is up to date.\n");
  const { items, contract } = applied;
  if (options.output) return io.write(formatValue({ contract, items }, options.output));
  const lines = items.map(({ key, from, to }) => `  ${formatProviderKey(key)} ${from} → ${to}\n`);
  io.write(`Upgraded:\n${lines.join("")}`);
}

function readOptions(args: readonly string[], io: CommandIo): Options {
  return parseArguments(args, io, (command) =>
    configFlag(clusterFlags(providerFlags(command)))
      .name("rookery upgrade apply")
      .description(
        "Upgrades providers: where the contract changes, all of them are paused, changed, looked at and " +
          "started again as one. An older operator is brought to the version of this command before.",
      )
      .option("--contract <name>", "to the newest releases of this contract, such as v1beta2")
      .addOption(secondsFlag("--wait-timeout <seconds>", "how long each step may take", 600))
      .addOption(new Option("-o, --output <form>", "for programs").choices(["json"]))
      .addHelpText("after", examples),
  ).opts<Options>();
}

function requestOf(options: Options): UpgradeRequest {
  const named = namedProviders(options);
  const { contract } = options;
  if (contract !== undefined && named.length > 0) {
    throw new UsageError("--contract and the names of providers do not go together.");
  }
  const text = contract !== undefined ? `--contract ${contract}` : named.map(flagOf).join(" ");
  return { ...(contract !== undefined && { contract }), named, text };
}
