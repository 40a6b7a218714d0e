import { providerLabel } from "@rookery/components";
import { operatorVersion } from "@rookery/operator";
import { readConfig } from "../config/read-config.ts";
import { defineCommand } from "../define-command.ts";
import { type ConfigFlags, configFlag } from "../flags.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { type FoundOperator, findOperator, isNewerOperator } from "../operator/find-operator.ts";
import { type Form, formatFor, outputFlag } from "../output/forms.ts";
import { formatFitted, formatText } from "../output/table.ts";
import { formatProviderKey } from "../providers/declared-providers.ts";
import { ReleaseSources } from "../releases/release-source.ts";
import { planUpgrades, type UpgradePlan } from "../upgrade/plan-upgrade.ts";
import { readFamilies } from "../upgrade/start-upgrade.ts";

interface Options extends KubeFlags, ConfigFlags {
  readonly output?: Form;
}

/** Prints the upgrades that repositories offer. It changes nothing. */
export const run = defineCommand<Options>({
  description: "Prints the available upgrades: of the operator, and of the providers by contract.",
  examples: `  rookery upgrade plan             the available upgrades, by contract
  rookery upgrade plan -o json     for programs`,
  declare: (command) => configFlag(clusterFlags(outputFlag(command, ["table", "json", "yaml"]))),
  async run(options, io) {
    const config = await readConfig(options, io);
    await using connection = await connectTo(options, io);
    await using sources = new ReleaseSources(config, io, connection.client);
    const operator = await findOperator(connection.client);
    const families = await readFamilies(connection.client, sources);
    const plans = families.flatMap(planUpgrades);
    const next = { version: operator?.version, next: operatorVersion };
    const width = io.terminal?.columns();
    const text = () =>
      [wrap(formatOperator(operator), width), ...formatPlans(plans, width)].join("");
    io.write(formatFor(options.output, { operator: operator && next, plans }, text));
  },
});

function formatOperator(operator: FoundOperator | undefined): string {
  if (!operator) return 'There is no operator in the cluster; "rookery init" installs it.\n';
  const { version = "unknown", namespace } = operator;
  if (version === operatorVersion) {
    return `The operator in ${namespace} is ${version}: up to date.\n`;
  }
  const way = isNewerOperator(operator.version)
    ? `use version ${version} of this command`
    : '"rookery upgrade operator" changes it';
  return `The operator in ${namespace} is ${version}, and this command ${operatorVersion}: ${way}.\n`;
}

const header = ["NAME", "NAMESPACE", "TYPE", "CURRENT VERSION", "NEXT VERSION"];

function formatPlans(plans: readonly UpgradePlan[], width: number | undefined): readonly string[] {
  if (plans.length === 0) return ['\nThere are no providers; "rookery init" adds them.\n'];
  return plans.map((plan) => {
    const rows = plan.items.map(({ key, from, to = "Already up to date" }) => [
      ...[providerLabel(key), key.namespace, key.kind, from, to],
    ]);
    const table = formatFitted(header, rows, width);
    return `\nNewest releases of contract ${plan.contract}:\n\n${table}\n${wayOf(plan, width)}`;
  });
}

/** How to apply a plan, or why that is not possible. */
function wayOf(plan: UpgradePlan, width: number | undefined): string {
  const { contract, items, blockedBy, changesContract } = plan;
  if (blockedBy.length > 0) {
    const names = blockedBy.map(formatProviderKey).join(", ");
    return wrap(`It can't be applied: ${names} has no release of this contract.\n`, width);
  }
  if (items.every(({ to }) => to === undefined)) return "All of it is up to date.\n";
  const pause = changesContract ? " All providers are paused while it is applied." : "";
  const head = wrap(`To apply it:${pause}\n`, width);
  return `${head}\n  rookery upgrade apply --contract ${contract}\n`;
}

function wrap(text: string, width: number | undefined): string {
  return width === undefined ? text : formatText(text, width).join("\n");
}
