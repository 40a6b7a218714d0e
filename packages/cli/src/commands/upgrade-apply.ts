import { Option } from "commander";
import { readConfig } from "../config/read-config.ts";
import { defineCommand } from "../define-command.ts";
import { UsageError } from "../errors.ts";
import { type ConfigFlags, configFlag, waitTimeoutFlag } from "../flags.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { formatValue } from "../output/forms.ts";
import { formatProviderKey } from "../providers/declared-providers.ts";
import {
  flagOf,
  namedProviders,
  type ProviderFlags,
  providerFlags,
} from "../providers/provider-flags.ts";
import { applyUpgrade } from "../upgrade/apply-upgrade.ts";
import type { UpgradeRequest } from "../upgrade/start-upgrade.ts";

interface Options extends ProviderFlags, KubeFlags, ConfigFlags {
  readonly contract?: string;
  readonly waitTimeout: number;
  readonly output?: "json";
}

/** Upgrades providers as one transaction, and resumes one that was killed. */
export const run = defineCommand<Options>({
  description:
    "Upgrades providers: where the contract changes, all of them are paused, changed, checked and " +
    "started again as one. An older operator is upgraded to the version of this command before.",
  examples: `  rookery upgrade apply --contract v1beta2                     all providers to their newest of a contract
  rookery upgrade apply --core cluster-api:v1.13.6 \\
    -b kubeadm:v1.13.6 -c kubeadm:v1.13.6                      to versions that you choose

An upgrade that was killed goes on when the same command is run again.`,
  declare: (command) =>
    waitTimeoutFlag(
      configFlag(clusterFlags(providerFlags(command))).option(
        "--contract <name>",
        "to the newest releases of this contract, such as v1beta2",
      ),
      "how long each step may take",
    ).addOption(new Option("-o, --output <form>", "for programs").choices(["json"])),
  async run(options, io) {
    const request = requestOf(options);
    const config = await readConfig(options, io);
    await using connection = await connectTo(options, io);
    const { client } = connection;
    const tools = { client, io, config, timeoutSeconds: options.waitTimeout };
    const applied = await applyUpgrade(request, tools);
    if (!applied) return io.write("All of it is up to date.\n");
    const { items, contract } = applied;
    if (options.output) return io.write(formatValue({ contract, items }, options.output));
    const lines = items.map(({ key, from, to }) => `  ${formatProviderKey(key)} ${from} → ${to}\n`);
    io.write(`Upgraded:\n${lines.join("")}`);
  },
});

function requestOf(options: Options): UpgradeRequest {
  const named = namedProviders(options);
  const { contract } = options;
  if (contract !== undefined && named.length > 0) {
    throw new UsageError("--contract and the names of providers do not go together.");
  }
  const text = contract !== undefined ? `--contract ${contract}` : named.map(flagOf).join(" ");
  return { ...(contract !== undefined && { contract }), named, text };
}
