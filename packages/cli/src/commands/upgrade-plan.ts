import { providerLabel } from "@rookery/components";
import { operatorVersion } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import { configFlag } from "../config/config-flag.ts";
import { readConfig } from "../config/read-config.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { type FoundOperator, findOperator, isNewerOperator } from "../operator/find-operator.ts";
import { type Form, formatValue, outputFlag } from "../output/forms.ts";
import { formatFitted, formatText } from "../output/table.ts";
import { parseArguments } from "../parse-arguments.ts";
import { formatProviderKey } from "../providers/declared-providers.ts";
import { ReleaseSources } from "../releases/release-source.ts";
import { readFamilies } from "../upgrade/begin-upgrade.ts";
import { planUpgrades, type UpgradePlan } from "../upgrade/plan-upgrade.ts";

interface Options extends KubeFlags {
  readonly config?: string;
  readonly output?: Form;
}

const examples = `
Examples:
  rookery upgrade plan             what could be newer, by contract
  rookery upgrade plan -o json     for programs`;

/** What can be upgraded, from the places that releases come from. Nothing is changed. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = parseArguments(args, io, (command) =>
    configFlag(clusterFlags(outputFlag(command, ["table", "json", "yaml"])))
      .name("rookery upgrade plan")
      .description("Prints what could be newer: the operator, and the providers by contract.")
      .addHelpText("after", examples),
  ).opts<Options>();
  const config = await readConfig(options, io);
  await using connection = await connectTo(options, io);
  await using sources = new ReleaseSources(config, io, connection.client);
  const operator = await findOperator(connection.client);
  const families = await readFamilies(connection.client, sources);
  const plans = families.flatMap(planUpgrades);
  if (options.output === "json" || options.output === "yaml") {
    const next = { version: operator?.version, next: operatorVersion };
    return io.write(formatValue({ operator: operator && next, plans }, options.output));
  }
  const width = io.terminal?.columns();
  io.write(inLines(formatOperator(operator), width));
  if (plans.length === 0) return io.write('\nThere are no providers; "rookery init" adds them.\n');
  for (const plan of plans) io.write(formatPlan(plan, width));
}

function formatOperator(operator: FoundOperator | undefined): string {
  if (!operator) return 'There is no operator in the cluster; "rookery init" installs it.\n';
  const { version = "unknown", namespace } = operator;
  if (version === operatorVersion)
    return `The operator in ${namespace} is ${version}: up to date.\n`;
  const way = isNewerOperator(operator.version)
    ? `use version ${version} of this command`
    : '"rookery upgrade operator" changes it';
  return `The operator in ${namespace} is ${version}, and this command ${operatorVersion}: ${way}.\n`;
}

const header = ["NAME", "NAMESPACE", "TYPE", "CURRENT VERSION", "NEXT VERSION"];

function formatPlan(plan: UpgradePlan, width: number | undefined): string {
  const rows = plan.items.map(({ key, from, to = "Already up to date" }) => [
    ...[providerLabel(key), key.namespace, key.kind, from, to],
  ]);
  const table = formatFitted(header, rows, width);
  return `\nNewest releases of contract ${plan.contract}:\n\n${table}\n${wayOf(plan, width)}`;
}

/** How to apply a plan, or why it can't be. */
function wayOf(plan: UpgradePlan, width: number | undefined): string {
  const { contract, items, blockedBy, changesContract } = plan;
  if (blockedBy.length > 0) {
    const names = blockedBy.map(formatProviderKey).join(", ");
    return inLines(`It can't be applied: ${names} has no release of this contract.\n`, width);
  }
  if (items.every(({ to }) => to === undefined)) return "All of it is up to date.\n";
  const pause = changesContract ? " All providers are paused while it is applied." : "";
  const head = inLines(`To apply it:${pause}\n`, width);
  return `${head}\n  rookery upgrade apply --contract ${contract}\n`;
}

function inLines(text: string, width: number | undefined): string {
  return width === undefined ? text : formatText(text, width).join("\n");
}
