import type { Provider, ProviderManifest } from "@rookery/api";
import { Option } from "commander";
import { readConfig } from "../config/read-config.ts";
import { defineCommand } from "../define-command.ts";
import { type ConfigFlags, configFlag, waitTimeoutFlag } from "../flags.ts";
import { clusterHint } from "../init/cluster-hint.ts";
import { instanceFlags, watchOf } from "../init/instance-flags.ts";
import type { PresentProvider } from "../init/present-providers.ts";
import {
  applyInit,
  type InitOptions,
  type InitPlan,
  plannedObjects,
  prepareInit,
  waitForInit,
} from "../init/run-init.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { formatManifests, formatValue } from "../output/forms.ts";
import { judgeReady } from "../progress/judgement.ts";
import {
  formatProviderKey,
  type ProviderKey,
  providerKeyOf,
} from "../providers/declared-providers.ts";
import { namedProviders, providerFlags } from "../providers/provider-flags.ts";

interface Options extends InitOptions, KubeFlags, ConfigFlags {
  readonly dryRun?: boolean;
  readonly wait: boolean;
  readonly output?: "yaml" | "json";
}

/** Makes a cluster a management cluster, or adds providers to one. */
export const run = defineCommand<Options>({
  description:
    "Installs the operator if it is missing, and declares providers: on a first run the core of " +
    'Cluster API and the kubeadm providers, unless others are named or "-" says none.',
  examples: `  rookery init --infrastructure vsphere          Cluster API, kubeadm and an infrastructure provider
  rookery init -i aws:v2.8.4,docker              versions, and several at once
  rookery init --bootstrap - --control-plane -   without the kubeadm providers
  rookery init -i vsphere --dry-run              prints the objects, and changes nothing
  rookery init -i vsphere -n capv2-system --watch-namespace team-a,team-b
                                                 a further instance, for these namespaces

Variables that components need come from the environment, else from the configuration file; an error
names all that are missing. The command may be run again: providers that exist stay as they are.`,
  declare: (command) =>
    waitTimeoutFlag(
      instanceFlags(configFlag(clusterFlags(providerFlags(command))))
        .option("--dry-run", "prints the objects that would be applied")
        .option("--wait", "waits until all providers are ready", true)
        .option("--no-wait", "ends when all providers are declared"),
    ).addOption(new Option("-o, --output <form>", "for programs").choices(["yaml", "json"])),
  async run(options, io) {
    // Wrong flags are reported before a cluster is asked.
    namedProviders(options);
    watchOf(options);
    const config = await readConfig(options, io);
    await using connection = await connectTo(options, io);
    const tools = { client: connection.client, io, config };
    const plan = await prepareInit(options, tools);
    if (options.dryRun) {
      const objects = await plannedObjects(plan);
      if (objects.length === 0) io.writeError(nothingToApply(plan));
      return io.write(formatObjects(objects, options.output));
    }
    await applyInit(plan, options, tools);
    if (options.wait) await waitForInit(plan, options, tools);
    if (options.output) return io.write(formatValue(summary(plan), options.output));
    const hint = await clusterHint(infrastructureIn(plan), { io, config, connection });
    io.write(nextSteps(plan, options.wait, hint));
  },
});

function formatObjects(objects: readonly object[], form: Options["output"]): string {
  if (form !== "json") return formatManifests(objects);
  return formatValue({ apiVersion: "v1", kind: "List", items: objects }, form);
}

function summary({ objects }: InitPlan): object {
  return objects.map(({ provider: { kind, metadata, spec } }) => ({
    kind,
    namespace: metadata.namespace,
    name: metadata.name,
    version: spec?.version,
  }));
}

function nothingToApply({ present }: InitPlan): string {
  return `Nothing would be applied: ${alreadyThere} declared already.\n${present.map(stateRow).join("")}`;
}

const alreadyThere = "all that was asked for is";

function infrastructureIn({ objects, present }: InitPlan): readonly string[] {
  const keys = [...objects.map(({ provider }) => providerKeyOf(provider as Provider)), ...present];
  return keys.flatMap(({ kind, name }) => (kind === "InfrastructureProvider" ? [name] : []));
}

function nextSteps({ objects, present }: InitPlan, hasWaited: boolean, hint: string): string {
  const existing = present.map(hasWaited ? installedRow : stateRow);
  const head =
    objects.length === 0
      ? `Nothing is missing here: ${alreadyThere} ${hasWaited ? "installed and ready" : "declared already"}.\n`
      : `${hasWaited ? "Installed and ready" : "Declared; the operator installs it"}:\n`;
  const rows = [...objects.map(({ provider }) => addedRow(provider)), ...existing];
  const next = `${hint}  rookery upgrade plan\n      the available upgrades\n`;
  return `${head}${rows.join("")}\nNext:\n${next}`;
}

function addedRow({ kind, metadata, spec }: ProviderManifest): string {
  const { namespace = "", name = "" } = metadata;
  return row({ kind, namespace, name, version: spec?.version, watch: spec?.watch });
}

function installedRow({ provider, version, ...key }: PresentProvider): string {
  return row({ ...key, version, watch: provider?.spec?.watch });
}

interface InstalledRow extends ProviderKey {
  readonly version: string | undefined;
  readonly watch: object | undefined;
}

function row({ kind, namespace, name, version = "", watch }: InstalledRow): string {
  return `  ${`${kind} ${name} ${version}`.trimEnd()}${watch ? ` in ${namespace}` : ""}\n`;
}

/** With the state that the operator reports. */
function stateRow(one: PresentProvider): string {
  const { text } = judgeReady(one.provider);
  return `  ${formatProviderKey(one)}: ${one.provider ? text : "clusterctl's; the operator takes it over"}\n`;
}
