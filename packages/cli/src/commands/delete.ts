import type { Provider } from "@rookery/api";
import { Option } from "commander";
import { defineCommand } from "../define-command.ts";
import {
  checkDeletions,
  chooseDeletions,
  type DeleteOptions,
  type DeletionFlags,
  deleteProviders,
  namedDeletions,
} from "../delete/run-delete.ts";
import { ProvidersError } from "../errors.ts";
import { waitTimeoutFlag } from "../flags.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import {
  checkOperatorVersion,
  type FoundOperator,
  findOperator,
} from "../operator/find-operator.ts";
import { removeOperator } from "../operator/install-operator.ts";
import { formatValue } from "../output/forms.ts";
import {
  formatProviderKey,
  listProviders,
  providerKeyOf,
} from "../providers/declared-providers.ts";
import { providerFlags } from "../providers/provider-flags.ts";

interface Options extends DeletionFlags, DeleteOptions, KubeFlags {
  readonly dryRun?: boolean;
  readonly output?: "json";
}

/** Deletes providers; with --all, the operator too. */
export const run = defineCommand<Options>({
  description:
    "Deletes providers, and waits until they are gone. A provider that objects still use is not deleted; " +
    "the error names them.",
  examples: `  rookery delete --infrastructure vsphere               one provider; its CRDs and their objects stay
  rookery delete --infrastructure vsphere --dry-run     whether it can be deleted, and if not, why
  rookery delete -i vsphere --include-crd               with its CRDs, and all objects of its kinds
  rookery delete --all --include-namespace              every provider, and the operator last

A provider that clusters still use is not deleted.`,
  declare: (command) =>
    waitTimeoutFlag(clusterFlags(providerFlags(command, "name")))
      .option("--all", "all providers, and then the operator")
      .option("-n, --namespace <name>", "the provider's namespace, if there are several instances")
      .option("--include-crd", "also its CRDs, and with them all objects of its kinds")
      .option("--include-namespace", "also its namespace, with all objects in it")
      .option("--dry-run", "prints what would be deleted, or what prevents it")
      .addOption(new Option("-o, --output <form>", "for programs").choices(["json"])),
  async run(options, io) {
    namedDeletions(options);
    await using connection = await connectTo(options, io);
    const { client } = connection;
    const all = await listProviders(client);
    const deleted = chooseDeletions(options, all);
    const operator = await findOperator(client);
    checkOperator(operator, deleted);
    await checkDeletions(client, deleted, all);
    if (!options.dryRun) {
      await deleteProviders(deleted, options, { client, io });
      if (options.all && operator) await removeOperator(client, operator, options);
    }
    const keys = deleted.map(providerKeyOf);
    if (options.output) return io.write(formatValue(keys, options.output));
    const names = keys.map(formatProviderKey);
    if (options.all && operator) names.push(`the operator in ${operator.namespace}`);
    io.write(formatDeleted(names, options.dryRun === true));
  },
});

/** Without an operator nothing would complete the deletion. */
function checkOperator(operator: FoundOperator | undefined, deleted: readonly Provider[]): void {
  if (operator) checkOperatorVersion(operator);
  if (operator || deleted.length === 0) return;
  throw new ProvidersError("delete", [
    'there is no operator that would remove the components of providers; "rookery init" installs it',
  ]);
}

function formatDeleted(names: readonly string[], isDryRun: boolean): string {
  if (names.length === 0) return "There is nothing to delete.\n";
  const head = isDryRun ? "Nothing is in the way. This would go:" : "Gone:";
  return `${head}\n${names.map((name) => `  ${name}\n`).join("")}`;
}
