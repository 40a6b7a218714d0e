import type { Provider, ProviderManifest } from "@rookery/api";
import { Option } from "commander";
import type { CommandIo } from "../command.ts";
import { configFlag } from "../config/config-flag.ts";
import { readConfig } from "../config/read-config.ts";
import { clusterHint } from "../init/cluster-hint.ts";
import { instanceFlags, watchOf } from "../init/instance-flags.ts";
import type { PresentProvider } from "../init/present-providers.ts";
import {
  followInit,
  type InitOptions,
  type InitPlan,
  performInit,
  plannedObjects,
  prepareInit,
} from "../init/run-init.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { formatValue } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";
import { judgeReady } from "../progress/judgement.ts";
import {
  formatProviderKey,
  type ProviderKey,
  providerKeyOf,
} from "../providers/declared-providers.ts";
import { namedProviders, providerFlags } from "../providers/provider-flags.ts";
import { secondsFlag } from "../seconds-flag.ts";

interface Options extends InitOptions, KubeFlags {
  readonly config?: string;
  readonly dryRun?: boolean;
  readonly wait: boolean;
  readonly output?: "yaml" | "json";
}

const examples = `
Examples:
  rookery init --infrastructure vsphere          Cluster API, kubeadm and an infrastructure provider
  rookery init -i aws:v2.8.4,docker              versions, and several at once
  rookery init --bootstrap - --control-plane -   without the kubeadm providers
  rookery init -i vsphere --dry-run              prints the objects, and changes nothing
  rookery init -i vsphere -n capv2-system --watch-namespace team-a,team-b
                                                 a further instance, for these namespaces

Variables that components need come from the environment, else from the configuration file; all that
are missing are named at once. It may be run again: what is there stays as it is.`;

/** Makes a cluster a management cluster, or adds providers to one. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = readOptions(args, io);
  const config = await readConfig(options, io);
  await using connection = await connectTo(options, io);
  const tools = { client: connection.client, io, config };
  const plan = await prepareInit(options, tools);
  if (options.dryRun) {
    const objects = await plannedObjects(plan);
    if (objects.length === 0) io.writeError(nothingApplied(plan));
    return io.write(formatObjects(objects, options.output));
  }
  await performInit(plan, options, tools);
  if (options.wait) await followInit(plan, options, tools);
  if (options.output) return io.write(formatValue(summary(plan), options.output));
  const hint = await clusterHint(infrastructureIn(plan), { io, config, connection });
  io.write(nextSteps(plan, options.wait, hint));
}

function readOptions(args: readonly string[], io: CommandIo): Options {
  const options = parseArguments(args, io, (command) =>
    instanceFlags(configFlag(clusterFlags(providerFlags(command))))
      .name("rookery init")
      .description(
        "Installs the operator where it is missing, and declares providers: on a first run the core of " +
          'Cluster API and the kubeadm providers, unless others are named or "-" says none.',
      )
      .option("--dry-run", "prints the objects that would be applied")
      .option("--wait", "waits until all providers are ready (it does unless told otherwise)", true)
      .option("--no-wait", "ends when all is declared")
      .addOption(secondsFlag("--wait-timeout <seconds>", "how long", 600))
      .addOption(new Option("-o, --output <form>", "for programs").choices(["yaml", "json"]))
      .addHelpText("after", examples),
  ).opts<Options>();
  // What is wrong with them is said before a cluster is asked.
  namedProviders(options);
  watchOf(options);
  return options;
}

function formatObjects(objects: readonly object[], form: "yaml" | "json" = "yaml"): string {
  if (form === "json") return formatValue({ apiVersion: "v1", kind: "List", items: objects }, form);
  return objects.map((object) => `---\n${formatValue(object, "yaml")}`).join("");
}

function summary({ objects }: InitPlan): object {
  return objects.map(({ provider: { kind, metadata, spec } }) => ({
    kind,
    namespace: metadata.namespace,
    name: metadata.name,
    version: spec?.version,
  }));
}

/** What a dry run found, where there is nothing to print. */
function nothingApplied({ present }: InitPlan): string {
  return `Nothing would be applied: ${alreadyThere} declared already.\n${present.map(stateRow).join("")}`;
}

const alreadyThere = "all that was asked for is";

function infrastructureIn({ objects, present }: InitPlan): readonly string[] {
  const keys = [...objects.map(({ provider }) => providerKeyOf(provider as Provider)), ...present];
  return keys.flatMap(({ kind, name }) => (kind === "InfrastructureProvider" ? [name] : []));
}

function nextSteps({ objects, present }: InitPlan, waited: boolean, hint: string): string {
  const added = objects.map(({ provider }) => provider);
  const there = waited ? present.map(installedRow) : present.map(stateRow);
  const missing =
    added.length === 0
      ? `Nothing is missing here: ${alreadyThere} ${waited ? "installed and ready" : "declared already"}.\n`
      : `${waited ? "Installed and ready" : "Declared; the operator installs it"}:\n`;
  const head = `${missing}${added.map(addedRow).join("")}${there.join("")}`;
  return `${head}\nNext:\n${hint}  rookery upgrade plan\n      what could be newer\n`;
}

function addedRow({ kind, metadata, spec }: ProviderManifest): string {
  const { namespace = "", name = "" } = metadata;
  return row({ kind, namespace, name, version: spec?.version, watch: spec?.watch });
}

function installedRow({ provider, version, ...key }: PresentProvider): string {
  return row({ ...key, version, watch: provider?.spec?.watch });
}

function row({ kind, namespace, name, version = "", watch }: InstalledRow): string {
  return `  ${`${kind} ${name} ${version}`.trimEnd()}${watch ? ` in ${namespace}` : ""}\n`;
}

interface InstalledRow extends ProviderKey {
  readonly version: string | undefined;
  readonly watch: object | undefined;
}

/** With what the operator says of it now. */
function stateRow(one: PresentProvider): string {
  const { text } = judgeReady(one.provider);
  return `  ${formatProviderKey(one)}: ${one.provider ? text : "clusterctl's; the operator takes it over"}\n`;
}
