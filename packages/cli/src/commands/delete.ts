import type { Provider } from "@rookery/api";
import { Option } from "commander";
import type { CommandIo } from "../command.ts";
import { chooseDeletions, type DeletionFlags, namedDeletions } from "../delete/choose-deletions.ts";
import { checkDeletions, type DeleteOptions, deleteProviders } from "../delete/run-delete.ts";
import { ProvidersError } from "../errors.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import {
  checkOperatorVersion,
  type FoundOperator,
  findOperator,
} from "../operator/find-operator.ts";
import { removeOperator } from "../operator/remove-operator.ts";
import { formatValue } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";
import {
  formatProviderKey,
  listProviders,
  providerKeyOf,
} from "../providers/declared-providers.ts";
import { providerFlags } from "../providers/provider-flags.ts";
import { secondsFlag } from "../seconds-flag.ts";

interface Options extends DeletionFlags, DeleteOptions, KubeFlags {
  readonly dryRun?: boolean;
  readonly output?: "json";
}

const examples = `
Examples:
  rookery delete --infrastructure vsphere               one provider; its CRDs and their objects stay
  rookery delete --infrastructure vsphere --dry-run     whether it could go, and what is in the way
  rookery delete -i vsphere --include-crd               with its CRDs, and all objects of its kinds
  rookery delete --all --include-namespace              every provider, and the operator last

A provider that clusters still use is not deleted.`;

/** Deletes providers; with --all, the operator too. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = readOptions(args, io);
  await using connection = await connectTo(options, io);
  const { client } = connection;
  const all = await listProviders(client);
  const going = chooseDeletions(options, all);
  const operator = await findOperator(client);
  checkOperator(operator, going);
  await checkDeletions(client, going, all);
  if (!options.dryRun) {
    await deleteProviders(going, options, { client, io });
    if (options.all && operator) await removeOperator(client, operator, options);
  }
  const names = going.map((provider) => formatProviderKey(providerKeyOf(provider)));
  const gone =
    options.all && operator ? [...names, `the operator in ${operator.namespace}`] : names;
  if (options.output) return io.write(formatValue(going.map(providerKeyOf), options.output));
  io.write(formatGone(gone, options.dryRun === true));
}

function readOptions(args: readonly string[], io: CommandIo): Options {
  const options = parseArguments(args, io, (command) =>
    clusterFlags(providerFlags(command, "name"))
      .name("rookery delete")
      .description(
        "Deletes providers, and waits until they are gone. What still uses one is named, and keeps it.",
      )
      .option("--all", "all providers, and then the operator")
      .option("-n, --namespace <name>", "where the provider is, if there are several instances")
      .option("--include-crd", "also its CRDs, and with them all objects of its kinds")
      .option("--include-namespace", "also its namespace, with all that is in it")
      .option("--dry-run", "only says what would go, or what is in the way")
      .addOption(secondsFlag("--wait-timeout <seconds>", "how long", 600))
      .addOption(new Option("-o, --output <form>", "for programs").choices(["json"]))
      .addHelpText("after", examples),
  ).opts<Options>();
  namedDeletions(options);
  return options;
}

/** Without it nobody would see to the deletion. */
function checkOperator(operator: FoundOperator | undefined, going: readonly Provider[]): void {
  if (operator) checkOperatorVersion(operator);
  if (operator || going.length === 0) return;
  throw new ProvidersError("delete", [
    'there is no operator that would remove what providers consist of; "rookery init" installs it',
  ]);
}

function formatGone(names: readonly string[], isDryRun: boolean): string {
  if (names.length === 0) return "There is nothing to delete.\n";
  const head = isDryRun ? "Nothing is in the way. This would go:" : "Gone:";
  return `${head}\n${names.map((name) => `  ${name}\n`).join("")}`;
}
